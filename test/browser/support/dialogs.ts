/**
 * Dialogs of the pages of applications and screenings that change something, each with how a test reaches, fills and
 * sends it. Used by refusals.test.ts.
 */
import type { Page } from 'playwright-core';
import { jpeg } from '../../support/specimens.ts';
import { api } from './api.ts';
import { type Application, application, complete, newName, pathOf, read, screened, upload } from './applications.ts';
import type { Person } from './people.ts';
import { failedVerification } from './verifications.ts';

const NOTE = 'Compared with the passport that we hold.';

/** How a test reaches a dialog, fills it and sends it. */
export interface DialogCase {
  /** Creates the record and returns the path of its page. */
  readonly newPath: () => Promise<string>;
  readonly user: () => Person;
  /** Shows the button, if it is hidden at first. */
  readonly reach?: (page: Page) => Promise<void>;
  /** Name of the button that opens the dialog. */
  readonly open: RegExp;
  readonly fill?: (page: Page) => Promise<void>;
  readonly send: RegExp;
}

export const inDialog = (page: Page) => page.getByRole('dialog');
const note = (page: Page) => inDialog(page).getByLabel('Note').fill(NOTE);
const pathOfNew = (make: () => Promise<Application>) => async () => pathOf(await make());

const draft = () => application({ level: 'enhanced' }, complete());
const inReview = async () =>
  screened(await application({ submit: true }, { ...complete(), fullName: newName('Rosalva') }));

type People = Readonly<Record<'analyst' | 'officer' | 'second', Person>>;

/** Returns the dialogs by their source file below the folder of the pages. */
export function dialogsOf(people: People): Readonly<Record<string, DialogCase>> {
  const decided = async (): Promise<Application> => {
    const one = await inReview();
    await api('POST', `/v1/applications/${one.id}/decisions`, {
      token: people.officer.token,
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
      token: people.analyst.token,
      body: {
        outcome: 'approve',
        reasonCodes: ['identity_confirmed'],
        note: NOTE,
        evidenceDigest: one.evidenceDigest,
      },
    });
    return read(one);
  };

  return {
    'applications/decisions/make-decision.tsx': {
      newPath: pathOfNew(inReview),
      user: () => people.analyst,
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
      user: () => people.second,
      open: /^Second review$/,
      send: /^Give the verdict$/,
      fill: async (at) => {
        await inDialog(at).getByLabel('Verdict').selectOption('Return into the review');
        await note(at);
      },
    },
    'applications/decisions/reopen.tsx': {
      newPath: pathOfNew(decided),
      user: () => people.officer,
      open: /^Reopen$/,
      fill: note,
      send: /^Reopen$/,
    },
    'applications/ending/end-relationship.tsx': {
      newPath: pathOfNew(decided),
      user: () => people.officer,
      open: /^End the relationship$/,
      send: /^End the relationship$/,
    },
    'applications/ending/erase.tsx': {
      newPath: pathOfNew(draft),
      user: () => people.officer,
      open: /^Erase$/,
      send: /^Erase for good$/,
    },
    'applications/renew.tsx': {
      newPath: pathOfNew(decided),
      user: () => people.officer,
      open: /^Renew$/,
      send: /^Renew$/,
    },
    'applications/actions.tsx': {
      newPath: pathOfNew(inReview),
      user: () => people.officer,
      open: /^Withdraw$/,
      send: /^Withdraw$/,
    },
    'applications/waive.tsx': {
      newPath: pathOfNew(draft),
      user: () => people.officer,
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
        await api('POST', `/v1/applications/${one.id}/attestations`, { token: people.officer.token, body: found });
        return pathOf(one);
      },
      user: () => people.analyst,
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
      user: () => people.analyst,
      open: /^Ask for information$/,
      send: /^Ask$/,
      fill: async (at) => {
        await inDialog(at).getByLabel('Date of birth').check();
        await inDialog(at).getByLabel('Message to the applicant').fill('When were you born?');
      },
    },
    'applications/consents/record-consent.tsx': {
      newPath: pathOfNew(inReview),
      user: () => people.analyst,
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
      user: () => people.analyst,
      open: /^Delete/,
      send: /^Delete/,
    },
    'applications/verifications/override-verification.tsx': {
      newPath: async () => {
        const one = await inReview();
        await failedVerification(one, people.analyst.token);
        return pathOf(one);
      },
      user: () => people.officer,
      open: /^Override the result: Document$/,
      send: /^Override$/,
      fill: async (at) => {
        await inDialog(at).getByLabel('Passed').check();
        await inDialog(at).getByLabel('Why').selectOption('checked_by_person');
        await inDialog(at).getByLabel('What you saw').fill(NOTE);
      },
    },
    'applications/verifications/start-verification.tsx': {
      newPath: async () => {
        const one = await draft();
        await upload(one, 'passport', { name: 'passaporte.jpg', mimeType: 'image/jpeg', bytes: jpeg() });
        return pathOf(one);
      },
      user: () => people.analyst,
      open: /^Verify$/,
      send: /^Verify$/,
      fill: async (at) => {
        await inDialog(at)
          .getByRole('combobox', { name: 'Document' })
          .selectOption({ label: 'Passport: passaporte.jpg' });
      },
    },
    'applications/verifications/take-over.tsx': {
      newPath: async () => {
        const one = await draft();
        await failedVerification(one, people.analyst.token);
        return pathOf(one);
      },
      user: () => people.analyst,
      reach: (at) => at.getByText('Checks: Document').click(),
      open: /^Take over: Date of birth$/,
      send: /^Take over$/,
    },
    'screenings/decide-dialog.tsx': {
      newPath: async () => {
        const one = await application(
          { submit: true },
          { ...complete(), fullName: 'Sergei Listado Petrov', dateOfBirth: '1961-04-02' },
        );
        const screening = await api<{ id: string }>('POST', '/v1/screenings', {
          token: people.analyst.token,
          body: { applicationId: one.id },
        });
        return `/screenings/${screening.id}`;
      },
      user: () => people.analyst,
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
}
