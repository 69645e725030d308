/** Dialogs of the pages of companies that change something, with how a test reaches them. Used by refusals.test.ts. */
import { newCnpj } from '../../operations/business-records.ts';
import { newName } from './applications.ts';
import { confirmed, drafted, pathOf, persona, recorded } from './businesses.ts';
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
    'businesses/edit-business.tsx': {
      newPath: async () => pathOf(await recorded(people.analyst)),
      user: () => people.analyst,
      open: /^Edit: Company$/,
      send: /^Save$/,
    },
    'businesses/edit-owners.tsx': {
      newPath: withDraft,
      user: () => people.analyst,
      open: /^Edit: Owners$/,
      send: /^Save$/,
    },
    'businesses/edit-power.tsx': {
      newPath: withDraft,
      user: () => people.analyst,
      open: /^Edit: Articles$/,
      send: /^Save$/,
    },
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
    'businesses/party-applications.tsx': {
      newPath: withDraft,
      user: () => people.analyst,
      open: /^Applications of the people$/,
      send: /^Begin$/,
      fill: (at) => inDialog(at).getByLabel('Ana Prado').check(),
    },
    'businesses/create-business.tsx': {
      newPath: async () => '/businesses',
      user: () => people.analyst,
      open: /^Record a company$/,
      send: /^Record$/,
      fill: async (at) => {
        await inDialog(at).getByLabel('Legal name').fill(newName('Livraria'));
        await inDialog(at).getByLabel('CNPJ').fill(newCnpj());
        await inDialog(at).getByLabel('Legal form').selectOption('Limited company');
      },
    },
    'businesses/resolve-difference.tsx': {
      newPath: async () => pathOf(await persona(people.analyst, 'joint_signature')),
      user: () => people.analyst,
      open: /^Resolve: Name/,
      send: /^Resolve$/,
      fill: async (at) => {
        await inDialog(at).getByLabel('Both are right').check();
        await inDialog(at).getByLabel('Note').fill('The name was changed last month.');
      },
    },
    'businesses/accept-draft.tsx': {
      newPath: async () => pathOf(await persona(people.analyst, 'active_company')),
      user: () => people.analyst,
      open: /^Take over the partners$/,
      send: /^Take over$/,
    },
  };
}
