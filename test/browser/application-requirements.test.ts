/** Browser tests of the requirements and findings on the page of an application. */
import { beforeAll, describe, expect, it } from 'vitest';
import { api } from './support/api.ts';
import { application, enter, inReview, ownerToken, pathOf } from './support/applications.ts';
import { useChromium } from './support/chromium.ts';
import { person, type Person } from './support/people.ts';
import { announced } from './support/toast.ts';

const visit = useChromium();

let analyst: Person;
let officer: Person;
beforeAll(async () => {
  await api('POST', '/v1/sandbox/enable', { token: await ownerToken() });
  [analyst, officer] = [await person('analyst', 'Bruno Lima'), await person('compliance_officer', 'Carla Dias')];
});

describe('a requirement', () => {
  it('is waived by a compliance officer with a reason, and the waiver is revoked', async () => {
    const one = await application({ level: 'enhanced' });
    const { page } = await visit(pathOf(one), { as: officer });
    await enter(page, officer);
    const history = page.getByRole('region', { name: 'History' });
    await page.getByRole('button', { name: 'Waive: Proof of address' }).click();
    await page.getByRole('dialog').getByLabel('Why').selectOption('It cannot be obtained');
    await page.getByRole('dialog').getByLabel('Note').fill('Lives at a relative.');
    await page.getByRole('dialog').getByRole('button', { name: 'Waive' }).click();
    await history.getByText('Requirement waived: Proof of address').waitFor();
    await page.getByText(/It cannot be obtained · Lives at a relative\. · Carla Dias/).waitFor();
    await page.getByRole('button', { name: 'Revoke the waiver: Proof of address' }).click();
    await page.getByRole('dialog').getByLabel('Why').selectOption('Correction of an error');
    await page.getByRole('dialog').getByLabel('Note').fill('It came by mail.');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke the waiver' }).click();
    await history.getByText('Requirement no longer waived: Proof of address').waitFor();
    await page.getByRole('button', { name: 'Waive: Proof of address' }).waitFor();
    expect(await page.getByRole('button', { name: 'Waive: Date of birth' }).count()).toBe(0);
  });
});

describe('a finding against the person', () => {
  it('is shown to reviewers, and is looked up again by an analyst, who enters where, when and with which result', async () => {
    const one = await inReview(false);
    const found = {
      requirementKey: 'adverse_media_clear',
      outcome: 'fail',
      source: 'News, by name',
      lookedUpAt: new Date(Date.now() - 86_400_000).toISOString(),
      note: 'A namesake was sentenced.',
    };
    await api('POST', `/v1/applications/${one.id}/attestations`, { token: officer.token, body: found });
    const { page } = await visit(pathOf(one), { as: analyst });
    await enter(page, analyst);
    const [history, needed] = [
      page.getByRole('region', { name: 'History' }),
      page.getByRole('region', { name: 'What is needed' }),
    ];
    await needed.getByText('A look-up found something adverse').waitFor();
    await needed
      .getByText(/Something against the person · News, by name · A namesake was sentenced\. · Carla Dias/)
      .waitFor();
    await needed.getByRole('button', { name: 'Attest: No adverse media' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Attest' }).click();
    await dialog.getByText('Choose what was found.').waitFor();
    await dialog.getByText('Enter where it was looked up.').waitFor();
    await dialog.getByLabel('Nothing against the person').check();
    await dialog.getByLabel('Where').fill('News and courts, by name and CPF');
    await dialog.getByLabel('Note').fill('The mothers have other names.');
    await dialog.getByRole('button', { name: 'Attest' }).click();
    await announced(page, 'The attestation is recorded.');
    await needed.getByText('A look-up found something adverse').waitFor({ state: 'detached' });
    await history.getByText('Look-up attested: No adverse media').nth(1).waitFor();
  });
});
