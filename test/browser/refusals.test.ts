/** Browser tests of how the dialogs about an application or a hit show refusals of the service. */
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
/** Window lower than the longest dialog, as on a notebook with a zoomed page. */
const LOW = { viewport: { width: 1000, height: 520 } } as const;
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

/** How to reach a dialog, fill it and send it. */
interface Reached {
  readonly of: () => Promise<string>;
  readonly who: () => Person;
  /** Name of the button that opens the dialog. */
  readonly open: RegExp;
  readonly fill?: (page: Page) => Promise<void>;
  readonly send: RegExp;
}

const inDialog = (page: Page) => page.getByRole('dialog');
const note = (page: Page) => inDialog(page).getByLabel('Note').fill(NOTE);
const page = (make: () => Promise<Application>) => async () => pathOf(await make());

/**
 * Every dialog that sends something about an application, a screening or an alert, by its file. A test fails while a
 * new dialog is missing here.
 */
const DIALOGS: Readonly<Record<string, Reached>> = {
  'applications/decisions/make-decision.tsx': {
    of: page(inReview),
    who: () => analyst!,
    open: /^Decide$/,
    send: /^Decide$/,
    fill: async (at) => {
      await inDialog(at).getByLabel('Decision', { exact: true }).selectOption('Approve');
      await inDialog(at).getByLabel('identity confirmed').check();
      await note(at);
    },
  },
  'applications/decisions/review-decision.tsx': {
    of: page(proposed),
    who: () => second!,
    open: /^Second review$/,
    send: /^Give the verdict$/,
    fill: async (at) => {
      await inDialog(at).getByLabel('Verdict').selectOption('Return into the review');
      await note(at);
    },
  },
  'applications/decisions/reopen.tsx': {
    of: page(decided),
    who: () => officer!,
    open: /^Reopen$/,
    fill: note,
    send: /^Reopen$/,
  },
  'applications/ending/end-relationship.tsx': {
    of: page(decided),
    who: () => officer!,
    open: /^End the relationship$/,
    send: /^End the relationship$/,
  },
  'applications/ending/erase.tsx': {
    of: page(draft),
    who: () => officer!,
    open: /^Erase$/,
    send: /^Erase for good$/,
  },
  'applications/renew.tsx': {
    of: page(decided),
    who: () => officer!,
    open: /^Renew$/,
    send: /^Renew$/,
  },
  'applications/actions.tsx': {
    of: page(inReview),
    who: () => officer!,
    open: /^Withdraw$/,
    send: /^Withdraw$/,
  },
  'applications/waive.tsx': {
    of: page(draft),
    who: () => officer!,
    open: /^Waive: Proof of address$/,
    send: /^Waive$/,
    fill: async (at) => {
      await inDialog(at).getByLabel('Why').selectOption('It cannot be obtained');
      await note(at);
    },
  },
  'applications/attest.tsx': {
    of: async () => {
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
    who: () => analyst!,
    open: /^Attest: CPF is regular$/,
    send: /^Attest$/,
    fill: async (at) => {
      await inDialog(at).getByLabel('Nothing against the person').check();
      await inDialog(at).getByLabel('Where').fill('The tax register');
      await note(at);
    },
  },
  'applications/information/ask-for-information.tsx': {
    of: page(inReview),
    who: () => analyst!,
    open: /^Ask for information$/,
    send: /^Ask$/,
    fill: async (at) => {
      await inDialog(at).getByLabel('Date of birth').check();
      await inDialog(at).getByLabel('Message to the applicant').fill('When were you born?');
    },
  },
  'applications/consents/record-consent.tsx': {
    of: page(inReview),
    who: () => analyst!,
    open: /^Record a consent$/,
    send: /^Record$/,
    fill: async (at) => {
      for (const field of await inDialog(at).locator('input[type=text], input:not([type])').all())
        if ((await field.inputValue()) === '') await field.fill('2026-03');
    },
  },
  'applications/documents/delete-document.tsx': {
    of: async () => {
      const one = await draft();
      await upload(one, 'passport', {
        name: 'passaporte.jpg',
        mimeType: 'image/jpeg',
        bytes: jpeg({ text: newName() }),
      });
      return pathOf(one);
    },
    who: () => analyst!,
    open: /^Delete/,
    send: /^Delete/,
  },
  'screenings/decide-dialog.tsx': {
    of: async () => {
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
    who: () => analyst!,
    open: /^Decide$/,
    send: /^Decide$/,
    fill: async (at) => {
      await inDialog(at).getByLabel('It is somebody else').check();
      await inDialog(at).getByLabel('Why').selectOption('name_only');
      await note(at);
    },
  },
};

/** Returns the dialogs of the pages about applications and hits that change something, found in their sources. */
function dialogsInSources(): string[] {
  const pages = join(import.meta.dirname, '../../server/pages/dashboard/pages');
  return globSync(['applications/**/*.tsx', 'screenings/*-dialog.tsx'], { cwd: pages }).filter((path) => {
    const text = readFileSync(join(pages, path), 'utf8');
    return /<(?:Dialog|ConfirmDialog)\b/.test(text) && /\bclient\.(?:POST|PUT|PATCH|DELETE)\b/.test(text);
  });
}

describe('a refusal', () => {
  it('is tested in every dialog about an application or a hit', () => {
    expect(dialogsInSources().sort()).toEqual(Object.keys(DIALOGS).sort());
  });

  it.each(Object.entries(DIALOGS))(
    'has the focus, is in sight and shows the words of the answer, with a link to the remedy: %s',
    async (_, { of, who, open, fill, send }) => {
      const path = await of();
      const { page: at, expectedConsoleErrors } = await visit('/applications', LOW);
      expectedConsoleErrors.add(409);
      await enter(at, who());
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
            ? 'Screening is clear: Hits of the screening are open'
            : 'The requirements are not met.',
        });
      await message.waitFor();
      expect(await message.evaluate((element) => element === document.activeElement)).toBe(true);
      const box = await message.boundingBox();
      expect([box!.y >= 0, box!.y + box!.height <= LOW.viewport.height]).toEqual([true, true]);
      if (!path.startsWith('/applications')) return;
      await message.getByRole('link', { name: 'Show' }).click();
      await inDialog(at).waitFor({ state: 'detached' });
      await expect
        .poll(() => at.evaluate(() => document.activeElement?.closest('section')?.id))
        .toMatch(/^(?:screening|requirements)$/);
    },
  );
});
