/** Browser tests of how the dialogs on the pages of applications, companies and screenings show refusals. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { api } from './support/api.ts';
import { enter, ownerToken } from './support/applications.ts';
import { businessDialogsOf } from './support/business-dialogs.ts';
import { useChromium } from './support/chromium.ts';
import { dialogsOf, inDialog } from './support/dialogs.ts';
import { person, type Person } from './support/people.ts';

const visit = useChromium();
/** Window that is less high than the longest dialog, as on a notebook with a zoomed page. */
const SHORT_WINDOW = { viewport: { width: 1000, height: 520 } } as const;

const people = {} as Record<'analyst' | 'officer' | 'second', Person>;
beforeAll(async () => {
  await api('POST', '/v1/sandbox/enable', { token: await ownerToken() });
  Object.assign(people, {
    analyst: await person('analyst', 'Bruno Lima'),
    officer: await person('compliance_officer', 'Carla Dias'),
    second: await person('compliance_officer', 'Davi Prado'),
  });
});

const DIALOGS = { ...dialogsOf(people), ...businessDialogsOf(people) };

function dialogsInSources(): string[] {
  const pages = join(import.meta.dirname, '../../server/pages/dashboard/pages');
  return globSync(['applications/**/*.tsx', 'businesses/**/*.tsx', 'screenings/*-dialog.tsx'], { cwd: pages }).filter(
    (path) => {
      const text = readFileSync(join(pages, path), 'utf8');
      return /<(?:Dialog|ConfirmDialog)\b/.test(text) && /\bclient\.(?:POST|PUT|PATCH|DELETE)\b|\bcallsOf\(/.test(text);
    },
  );
}

describe('a refusal', () => {
  it('is tested in every dialog of these pages that changes something', () => {
    expect(dialogsInSources().sort()).toEqual(Object.keys(DIALOGS).sort());
  });

  it.each(Object.entries(DIALOGS))(
    'is focused, visible and shows the message of the service, on pages of one record with its way out: %s',
    async (_, { newPath, user, reach, open, fill, send }) => {
      const path = await newPath();
      const { page: at, expectedConsoleErrors } = await visit('/applications', SHORT_WINDOW);
      expectedConsoleErrors.add(409);
      await enter(at, user());
      await at.goto(new URL(path, at.url()).href);
      await reach?.(at);
      await at.getByRole('button', { name: open }).first().click();
      await inDialog(at).waitFor();
      await fill?.(at);
      const items = [
        {
          key: 'screening_clear',
          kind: 'established',
          status: 'missing',
          reasonCode: 'hits_open',
          alternatives: [],
          satisfiedBy: [],
        },
      ];
      const problem = {
        type: '/problems/checks_incomplete',
        title: 'The requirements are not met',
        status: 409,
        code: 'checks_incomplete',
        detail: 'Something is open.',
        instance: 'urn:uuid:0',
        items,
      };
      await at.route('**/v1/**', (route) =>
        route.request().method() === 'GET' || route.request().url().includes('/auth/')
          ? route.fallback()
          : route.fulfill({ status: 409, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
      );
      await inDialog(at).getByRole('button', { name: send }).last().click();
      const message = inDialog(at)
        .getByRole('alert')
        .filter({
          hasText: path.startsWith('/screenings')
            ? 'The requirements are not met.'
            : 'Screening must be clear: Some hits are still open',
        });
      await message.waitFor();
      expect(await message.evaluate((element) => element === document.activeElement)).toBe(true);
      const box = await message.boundingBox();
      expect([box!.y >= 0, box!.y + box!.height <= SHORT_WINDOW.viewport.height]).toEqual([true, true]);
      // Only the page of one application or company has a place where something is missing.
      if (!/^\/(?:applications|businesses)\//.test(path)) return;
      await message.getByRole('link', { name: 'Show' }).click();
      await inDialog(at).waitFor({ state: 'detached' });
      await expect
        .poll(() => at.evaluate(() => document.activeElement?.closest('section')?.id))
        .toMatch(/^(?:screening|requirements)$/);
    },
  );
});
