/** Browser tests of deciding about an application and of the second review. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { jpeg } from '../support/specimens.ts';
import { api } from './support/api.ts';
import {
  type Application,
  application,
  complete,
  enter,
  inReview,
  newName,
  ownerToken,
  pathOf,
  read,
  screened,
  upload,
} from './support/applications.ts';
import { useChromium } from './support/chromium.ts';
import { person, type Person } from './support/people.ts';
import { examineStates } from './support/states.ts';
import { announced } from './support/toast.ts';

const visit = useChromium();

let analyst: Person;
let officer: Person;
beforeAll(async () => {
  await api('POST', '/v1/sandbox/enable', { token: await ownerToken() });
  [analyst, officer] = [await person('analyst', 'Bruno Lima'), await person('compliance_officer', 'Carla Dias')];
});

const section = (page: Page) => page.getByRole('region', { name: 'Decisions' });

const propose = async ({ id }: Application, token = analyst.token) =>
  api<{ id: string }>('POST', `/v1/applications/${id}/decisions`, {
    token,
    body: {
      outcome: 'approve',
      reasonCodes: ['identity_confirmed'],
      note: 'Passport and address agree.',
      evidenceDigest: (await read({ id })).evidenceDigest,
    },
  });

async function fillDecision(page: Page, outcome: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Decision', { exact: true }).selectOption(outcome);
  await dialog.getByLabel(outcome === 'Approve' ? 'identity confirmed' : 'document unreadable').check();
  await dialog.getByLabel('Note').fill('Passport and address agree.');
  await dialog.getByRole('button', { name: 'Decide' }).click();
}

describe('a decision', () => {
  it('is made with its reasons, takes effect, and is reopened by a compliance officer', async () => {
    const one = await inReview(false);
    const { page, expectedConsoleErrors } = await visit(pathOf(one), { as: officer });
    await enter(page, officer);
    await section(page).getByText('Nothing has been decided yet.').waitFor();
    await section(page).getByRole('button', { name: 'Decide' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Decide' }).click();
    await page.getByText('Choose what you decide.').waitFor();
    expect(await page.getByRole('dialog').getByRole('checkbox').count()).toBe(0);
    await page.getByRole('dialog').getByLabel('Decision', { exact: true }).selectOption('Approve');
    expect(
      await page
        .getByRole('dialog')
        .getByLabel(/fraud|sanctions/)
        .count(),
    ).toBe(0);
    await page.getByRole('dialog').getByRole('button', { name: 'Decide' }).click();
    await page.getByText('Choose at least one reason.').waitFor();
    await fillDecision(page, 'Approve');
    await announced(page, 'The decision is in effect.');
    await section(page).getByText('In effect').waitFor();
    await page.getByRole('region', { name: 'History' }).getByText('Decision made: Approval').waitFor();
    expect((await read(one)).status).toBe('approved');
    await page.getByRole('button', { name: 'Evidence pack' }).click();
    // The log may have been signed less than ten seconds ago; the page tries again.
    expectedConsoleErrors.add(409);
    const [pack] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog').getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(pack.suggestedFilename()).toBe(`evidence-pack-${one.id}.zip`);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Renew' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Renew' }).click();
    await announced(page, 'The renewal is a draft.');
    await page.getByRole('link', { name: 'an earlier application' }).click();
    await section(page).getByRole('button', { name: 'Reopen' }).click();
    await page.getByRole('dialog').getByLabel('Note').fill('A newer passport has come.');
    await page.getByRole('dialog').getByRole('button', { name: 'Reopen' }).click();
    await announced(page, 'It is in review again.');
    await section(page).getByRole('button', { name: 'Decide' }).waitFor();
  });

  it('waits for a second person, who is not the first one, and who confirms it', async () => {
    const one = await inReview(true);
    const first = await visit(pathOf(one));
    await enter(first.page, officer);
    await section(first.page).getByRole('button', { name: 'Decide' }).click();
    await fillDecision(first.page, 'Reject; may try again');
    await announced(first.page, 'The decision waits for a second person.');
    await section(first.page).getByText('Somebody else has to review your decision.').waitFor();
    await section(first.page).getByText('two people, because: public office declared').waitFor();
    expect(await section(first.page).getByRole('button', { name: 'Second review' }).count()).toBe(0);
    const second = await visit(pathOf(one));
    await enter(second.page, await person('compliance_officer'));
    await section(second.page).getByRole('button', { name: 'Second review' }).click();
    await second.page.getByRole('dialog').getByText('Rejection, proposed by Carla Dias.').waitFor();
    await second.page.getByRole('dialog').getByLabel('Note').fill('Seen with my own eyes.');
    await second.page.getByRole('dialog').getByRole('button', { name: 'Give the verdict' }).click();
    await second.page.getByRole('dialog').getByText('Choose a verdict.').waitFor();
    await second.page.getByLabel('Verdict').selectOption('Confirm: it takes effect');
    await second.page.getByRole('dialog').getByRole('button', { name: 'Give the verdict' }).click();
    await announced(second.page, 'The decision is in effect.');
    expect((await read(one)).status).toBe('rejected');
  });

  it('is not made about other evidence than was read: the changes are shown, and then it is decided anew', async () => {
    const one = await inReview(true);
    await propose(one);
    const { page, expectedConsoleErrors } = await visit(pathOf(one), { as: officer });
    expectedConsoleErrors.add(409);
    await enter(page, officer);
    await section(page).getByRole('button', { name: 'Second review' }).click();
    await upload(one, 'passport', { name: 'passaporte.jpg', mimeType: 'image/jpeg', bytes: jpeg({ text: newName() }) });
    await page.getByLabel('Verdict').selectOption('Confirm: it takes effect');
    await page.getByRole('dialog').getByLabel('Note').fill('Seen with my own eyes.');
    await page.getByRole('dialog').getByRole('button', { name: 'Give the verdict' }).click();
    await section(page).getByText('The evidence has changed since you read it.').waitFor();
    await section(page).getByText('Document: added').waitFor();
    await section(page).getByText('No longer stands').waitFor();
    await section(page).getByRole('button', { name: 'Decide' }).click();
    await page.getByRole('dialog').getByLabel('Note').waitFor();
    await upload(one, 'proof_of_address', {
      name: 'luz.jpg',
      mimeType: 'image/jpeg',
      bytes: jpeg({ text: newName() }),
    });
    await fillDecision(page, 'Approve');
    await section(page).getByText('The evidence has changed since you read it.').waitFor();
    await page.getByText('luz.jpg').waitFor();
    await section(page).getByRole('button', { name: 'Decide' }).click();
    await fillDecision(page, 'Approve');
    await announced(page, 'The decision waits for a second person.');
  });

  it('is preceded by a warning if another application says otherwise about the person', async () => {
    const { taxId } = complete();
    const earlier = await screened(
      await application(
        { submit: true },
        {
          ...complete(),
          fullName: newName('Rosalva'),
          taxId,
          dateOfBirth: '1971-01-02',
        },
      ),
    );
    await propose(earlier);
    const one = await screened(
      await application(
        { submit: true },
        {
          ...complete(),
          fullName: newName('Rosalva'),
          taxId,
          dateOfBirth: '1990-04-12',
        },
      ),
    );
    const { page } = await visit(pathOf(one), { as: analyst });
    await enter(page, analyst);
    await section(page).getByText('Another application gives another date of birth under this tax number.').waitFor();
    await section(page).getByRole('button', { name: 'Decide' }).click();
    await fillDecision(page, 'Approve');
    await announced(page, 'The decision waits for a second person.');
    await section(page)
      .getByText('two people, because: another date of birth was given under this tax number')
      .waitFor();
  });

  it('says in its dialog that nobody has screened the person, and why two people decide', async () => {
    const one = await application({ submit: true }, { ...complete(), fullName: newName('Rosalva') });
    const { page } = await visit(pathOf(one), { as: analyst });
    await enter(page, analyst);
    await section(page).getByRole('button', { name: 'Decide' }).click();
    await page.getByRole('dialog').getByText('No screening covers the person as they are now.').waitFor();
    await fillDecision(page, 'Approve');
    await announced(page, 'The decision waits for a second person.');
    await section(page).getByText('two people, because: the person was not screened').waitFor();
  });

  it('is read by a viewer, who sees no note and decides nothing', async () => {
    const one = await inReview(true);
    await propose(one);
    const { page } = await visit(pathOf(one));
    await enter(page, await person('viewer'));
    await section(page).getByText('Waits for a second person').waitFor();
    expect(await section(page).getByText('Passport and address agree.').count()).toBe(0);
    expect(await section(page).getByRole('button').count()).toBe(0);
  });
});

examineStates(visit, [
  {
    name: 'the form of a decision',
    path: '/applications',
    as: () => analyst,
    reach: async (page) => {
      const one = await inReview(false);
      await enter(page, analyst);
      await page.goto(pathOf(one));
      await section(page).getByRole('button', { name: 'Decide' }).click();
      await page.getByRole('dialog').getByLabel('Decision', { exact: true }).selectOption('Approve');
      await page.getByRole('dialog').getByLabel('identity confirmed').waitFor();
    },
  },
  {
    name: 'the form of an attestation',
    path: '/applications',
    as: () => analyst,
    reach: async (page) => {
      const one = await inReview(false);
      const found = {
        requirementKey: 'cpf_status_ok',
        outcome: 'fail',
        source: 'The tax register',
        lookedUpAt: new Date().toISOString(),
        note: 'The number is cancelled.',
      };
      await api('POST', `/v1/applications/${one.id}/attestations`, { token: officer.token, body: found });
      await enter(page, analyst);
      await page.goto(pathOf(one));
      await page.getByRole('button', { name: 'Attest: CPF is regular' }).click();
      await page.getByRole('dialog').getByLabel('Where').waitFor();
    },
  },
  {
    name: 'a decision that waits',
    path: '/applications',
    as: () => officer,
    reach: async (page) => {
      const one = await inReview(true);
      await propose(one);
      await enter(page, officer);
      await page.goto(pathOf(one));
      await section(page).getByRole('button', { name: 'Second review' }).click();
      await page.getByRole('dialog').getByLabel('Verdict').waitFor();
    },
  },
]);
