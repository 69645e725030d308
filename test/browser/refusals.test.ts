/** Browser tests of how the dialogs on the pages of applications and screenings show refusals of the service. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { jpeg } from '../support/specimens.ts';
import { api } from './support/api.ts';
import {
  type Application,
  application,
  complete,
  enter,
  newName,
  ownerToken,
  pathOf,
  read,
  screened,
  upload,
} from './support/applications.ts';
import { useChromium } from './support/chromium.ts';
import { person, type Person } from './support/people.ts';

const visit = useChromium();
/** Window that is less high than the longest dialog, as on a notebook with a zoomed page. */
const SHORT_WINDOW = { viewport: { width: 1000, height: 520 } } as const;
const NOTE = 'Compared with the passport that we hold.';

let [analyst, officer, second]: Person[] = [];
beforeAll(async () => {
  await api('POST', '/v1/sandbox/enable', { token: await ownerToken() });
  [analyst, officer, second] = [
    await person('analyst', 'Bruno Lima'),
    await person('compliance_officer', 'Carla Dias'),
    await person('compliance_officer', 'Davi Prado'),
  ];
});

const draft = () => application({ level: 'enhanced' }, complete());
const inReview = async () =>
  screened(await application({ submit: true }, { ...complete(), fullName: newName('Rosalva') }));
const decided = async (): Promise<Application> => {
  const one = await inReview();
  await api('POST', `/v1/applications/${one.id}/decisions`, {
    token: officer!.token,
    body: {
      outcome: 'approve',
      reasonCodes: ['identity_confirmed'],
      note: NOTE,
      evidenceDigest: one.evidenceDigest,
    },
  });
  return read(one);
};
const proposed = async (): Promise<Application> => {
  const one = await application({ submit: true }, { ...complete(), fullName: newName('Rosalva') });
  await api('POST', `/v1/applications/${one.id}/decisions`, {
    token: analyst!.token,
    body: {
      outcome: 'approve',
      reasonCodes: ['identity_confirmed'],
      note: NOTE,
      evidenceDigest: one.evidenceDigest,
    },
  });
  return read(one);
};

/** How a test reaches a dialog, fills it and sends it. */
interface DialogCase {
  /** Creates the record and returns the path of its page. */
  readonly newPath: () => Promise<string>;
  readonly user: () => Person;
  /** Name of the button that opens the dialog. */
  readonly open: RegExp;
  readonly fill?: (page: Page) => Promise<void>;
  readonly send: RegExp;
}

const inDialog = (page: Page) => page.getByRole('dialog');
const note = (page: Page) => inDialog(page).getByLabel('Note').fill(NOTE);
const pathOfNew = (make: () => Promise<Application>) => async () => pathOf(await make());

/**
 * Every dialog of the application and screening pages that changes something, by source file. The first test below
 * fails if one is missing.
 */
const DIALOGS: Readonly<Record<string, DialogCase>> = {
  'applications/decisions/make-decision.tsx': {
    newPath: pathOfNew(inReview),
    user: () => analyst!,
    open: /^Decide$/,
    send: /^Decide$/,
    fill: async (at) => {
      await inDialog(at).getByLabel('Decision', { exact: true }).selectOption('Approve');
      await inDialog(at).getByLabel('identity confirmed').check();
      await note(at);
    },
  },
  'applications/decisions/review-decision.tsx': {
    newPath: pathOfNew(proposed),
    user: () => second!,
    open: /^Second review$/,
    send: /^Give the verdict$/,
    fill: async (at) => {
      await inDialog(at).getByLabel('Verdict').selectOption('Return into the review');
      await note(at);
    },
  },
  'applications/decisions/reopen.tsx': {
    newPath: pathOfNew(decided),
    user: () => officer!,
    open: /^Reopen$/,
    fill: note,
    send: /^Reopen$/,
  },
  'applications/ending/end-relationship.tsx': {
    newPath: pathOfNew(decided),
    user: () => officer!,
    open: /^End the relationship$/,
    send: /^End the relationship$/,
  },
  'applications/ending/erase.tsx': {
    newPath: pathOfNew(draft),
    user: () => officer!,
    open: /^Erase$/,
    send: /^Erase for good$/,
  },
  'applications/renew.tsx': {
    newPath: pathOfNew(decided),
    user: () => officer!,
    open: /^Renew$/,
    send: /^Renew$/,
  },
  'applications/actions.tsx': {
    newPath: pathOfNew(inReview),
    user: () => officer!,
    open: /^Withdraw$/,
    send: /^Withdraw$/,
  },
  'applications/waive.tsx': {
    newPath: pathOfNew(draft),
    user: () => officer!,
    open: /^Waive: Proof of address$/,
    send: /^Waive$/,
    fill: async (at) => {
      await inDialog(at).getByLabel('Why').selectOption('It cannot be obtained');
      await note(at);
    },
  },
  'applications/attest.tsx': {
    newPath: async () => {
      const one = await inReview();
      const found = {
        requirementKey: 'cpf_status_ok',
        outcome: 'fail',
        source: 'The tax register',
        lookedUpAt: new Date().toISOString(),
        note: NOTE,
      };
      await api('POST', `/v1/applications/${one.id}/attestations`, { token: officer!.token, body: found });
      return pathOf(one);
    },
    user: () => analyst!,
    open: /^Attest: CPF is regular$/,
    send: /^Attest$/,
    fill: async (at) => {
      await inDialog(at).getByLabel('Nothing against the person').check();
      await inDialog(at).getByLabel('Where').fill('The tax register');
      await note(at);
    },
  },
  'applications/information/ask-for-information.tsx': {
    newPath: pathOfNew(inReview),
    user: () => analyst!,
    open: /^Ask for information$/,
    send: /^Ask$/,
    fill: async (at) => {
      await inDialog(at).getByLabel('Date of birth').check();
      await inDialog(at).getByLabel('Message to the applicant').fill('When were you born?');
    },
  },
  'applications/consents/record-consent.tsx': {
    newPath: pathOfNew(inReview),
    user: () => analyst!,
    open: /^Record a consent$/,
    send: /^Record$/,
    fill: async (at) => {
      for (const field of await inDialog(at).locator('input[type=text], input:not([type])').all())
        if ((await field.inputValue()) === '') await field.fill('2026-03');
    },
  },
  'applications/documents/delete-document.tsx': {
    newPath: async () => {
      const one = await draft();
      await upload(one, 'passport', {
        name: 'passaporte.jpg',
        mimeType: 'image/jpeg',
        bytes: jpeg({ text: newName() }),
      });
      return pathOf(one);
    },
    user: () => analyst!,
    open: /^Delete/,
    send: /^Delete/,
  },
  'screenings/decide-dialog.tsx': {
    newPath: async () => {
      const one = await application(
        { submit: true },
        { ...complete(), fullName: 'Sergei Listado Petrov', dateOfBirth: '1961-04-02' },
      );
      const screening = await api<{ id: string }>('POST', '/v1/screenings', {
        token: analyst!.token,
        body: { applicationId: one.id },
      });
      return `/screenings/${screening.id}`;
    },
    user: () => analyst!,
    open: /^Decide$/,
    send: /^Decide$/,
    fill: async (at) => {
      await inDialog(at).getByLabel('It is somebody else').check();
      await inDialog(at).getByLabel('Why').selectOption('name_only');
      await note(at);
    },
  },
};

/** Returns the dialogs of the application and screening pages that change something, found in their sources. */
function dialogsInSources(): string[] {
  const pages = join(import.meta.dirname, '../../server/pages/dashboard/pages');
  return globSync(['applications/**/*.tsx', 'screenings/*-dialog.tsx'], { cwd: pages }).filter((path) => {
    const text = readFileSync(join(pages, path), 'utf8');
    return /<(?:Dialog|ConfirmDialog)\b/.test(text) && /\bclient\.(?:POST|PUT|PATCH|DELETE)\b/.test(text);
  });
}

describe('a refusal', () => {
  it('is tested in every dialog of the application and screening pages that changes something', () => {
    expect(dialogsInSources().sort()).toEqual(Object.keys(DIALOGS).sort());
  });

  it.each(Object.entries(DIALOGS))(
    'is focused, visible and shows the message of the service, on application pages with a link to what is missing: %s',
    async (_, { newPath, user, open, fill, send }) => {
      const path = await newPath();
      const { page: at, expectedConsoleErrors } = await visit('/applications', SHORT_WINDOW);
      expectedConsoleErrors.add(409);
      await enter(at, user());
      await at.goto(new URL(path, at.url()).href);
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
          hasText: path.startsWith('/applications')
            ? 'Screening must be clear: Some hits are still open'
            : 'The requirements are not met.',
        });
      await message.waitFor();
      expect(await message.evaluate((element) => element === document.activeElement)).toBe(true);
      const box = await message.boundingBox();
      expect([box!.y >= 0, box!.y + box!.height <= SHORT_WINDOW.viewport.height]).toEqual([true, true]);
      if (!path.startsWith('/applications')) return;
      await message.getByRole('link', { name: 'Show' }).click();
      await inDialog(at).waitFor({ state: 'detached' });
      await expect
        .poll(() => at.evaluate(() => document.activeElement?.closest('section')?.id))
        .toMatch(/^(?:screening|requirements)$/);
    },
  );
});
