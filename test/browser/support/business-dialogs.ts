/** Dialogs of the pages of companies that change something, with how a test reaches them. Used by refusals.test.ts. */
import { confirmed, drafted, pathOf, recorded } from './businesses.ts';
import { type DialogCase, inDialog } from './dialogs.ts';
import type { Person } from './people.ts';

type People = Readonly<Record<'analyst' | 'officer', Person>>;

/** Returns the dialogs by their source file below the folder of the pages. */
export function businessDialogsOf(people: People): Readonly<Record<string, DialogCase>> {
  const withDraft = async (): Promise<string> => {
    const one = await recorded(people.analyst);
    await drafted(people.analyst, one);
    return pathOf(one);
  };
  const withPower = async (): Promise<string> => {
    const one = await recorded(people.analyst);
    await drafted(people.analyst, one);
    await confirmed(people.officer, one);
    return pathOf(one);
  };
  return {
    'businesses/confirm-power.tsx': {
      newPath: withDraft,
      user: () => people.officer,
      open: /^Confirm: Articles$/,
      send: /^Confirm$/,
      fill: (at) => inDialog(at).getByLabel('I have read the document').check(),
    },
    'businesses/revoke-power.tsx': {
      newPath: withPower,
      user: () => people.analyst,
      open: /^Revoke: Articles$/,
      send: /^Revoke$/,
      fill: async (at) => {
        await inDialog(at).getByLabel('Why').selectOption('Somebody has resigned');
      },
    },
    'businesses/ask-signing.tsx': {
      newPath: withPower,
      user: () => people.analyst,
      open: /^May they sign\?$/,
      send: /^Ask$/,
      fill: async (at) => {
        await inDialog(at).getByLabel('Act', { exact: true }).selectOption('Moving funds');
      },
    },
  };
}
