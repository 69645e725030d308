/** Browser tests of screenings and monitoring. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { api } from './support/api.ts';
import { application, complete, enter, newName, ownerToken, pathOf, read } from './support/applications.ts';
import { useChromium } from './support/chromium.ts';
import { person, type Person } from './support/people.ts';
import { examineStates } from './support/states.ts';
import { announced } from './support/toast.ts';

type Schemas = components['schemas'];

const visit = useChromium();
const NOTE = 'The passport was compared with the list.';

let analyst: Person;
let officer: Person;
let viewer: Person;
beforeAll(async () => {
  await api('POST', '/v1/sandbox/enable', { token: await ownerToken() });
  [analyst, officer, viewer] = [
    await person('analyst', 'Bruno Lima'),
    await person('compliance_officer', 'Carla Dias'),
    await person('viewer', 'Vera Reis'),
  ];
});

/** Returns an application of a person on two of the invented lists. */
const listed = () =>
  application({ submit: true }, { ...complete(), fullName: 'Sergei Listado Petrov', dateOfBirth: '1961-04-02' });
const screen = async (applicationId: string) =>
  api<Schemas['Screening']>('POST', '/v1/screenings', { token: analyst.token, body: { applicationId } });
const screened = async () => screen((await listed()).id);
const hitOf = (page: Page, list: string) => page.getByRole('article').filter({ hasText: list });
const alertsOf = async (id: string) =>
  (
    await api<{ items: Schemas['Alert'][] }>('GET', `/v1/monitoring/alerts?applicationId=${id}`, {
      token: analyst.token,
    })
  ).items;

/** Returns a customer with an alert. */
async function alerted(): Promise<string> {
  const { id } = await listed();
  const { evidenceDigest } = await read({ id });
  // The customer was not screened, so two people approve.
  const { id: decision } = await api<{ id: string }>('POST', `/v1/applications/${id}/decisions`, {
    token: analyst.token,
    body: {
      outcome: 'approve',
      reasonCodes: ['identity_confirmed'],
      note: NOTE,
      evidenceDigest,
    },
  });
  await api('POST', `/v1/applications/${id}/decisions/${decision}/review`, {
    token: officer.token,
    body: { verdict: 'confirm', note: NOTE, evidenceDigest },
  });
  await expect.poll(async () => (await alertsOf(id)).length).toBe(2);
  return id;
}

async function decide(page: Page, verdict: string, reason: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(verdict).check();
  await dialog.getByLabel('Why').selectOption(reason);
  await dialog.getByLabel('Note').fill(NOTE);
  await dialog.getByRole('button', { name: 'Decide' }).click();
}

describe('a screening', () => {
  it('is started from the page of an application, and shows each hit word by word, with contributions that add up', async () => {
    const one = await listed();
    const { page } = await visit(pathOf(one), { as: analyst });
    await enter(page, analyst);
    await page.getByRole('region', { name: 'Watch lists' }).getByText('Not screened yet.').waitFor();
    await page.getByRole('button', { name: 'Screen' }).click();
    const hit = hitOf(page, 'un-csnu');
    await hit.getByRole('table', { name: 'The names, word by word' }).waitFor();
    const rows = await hit.getByRole('row').allInnerTexts();
    expect(rows.join('\n')).toMatch(/sergei[\s\S]*“sergei” is in both names\.[\s\S]*sergei/);
    expect(rows.join('\n')).toContain('Both were born on 1961-04-02.');
    const added = rows
      .flatMap((row) => [...row.matchAll(/([+−])(\d\.\d{3})/g)])
      .reduce((sum, [, sign, value]) => sum + Number(value) * (sign === '−' ? -1 : 1), 0);
    expect(added).toBeCloseTo(Number(await hit.locator('tfoot td').innerText()), 2);
    await page.goBack();
    await page.getByText('2 of 2 hits open').waitFor();
  });

  it('has a hit decided by two people, the second of whom dismisses it for the tax number, and a later application is dismissed by that until it is revoked', async () => {
    const first = await screened();
    const { page } = await visit(`/screenings/${first.id}`, { as: analyst });
    await enter(page, analyst);
    await hitOf(page, 'un-csnu').getByText('Strong match').waitFor();
    await hitOf(page, 'un-csnu').getByRole('button', { name: 'Decide' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Decide' }).click();
    for (const missing of ['Choose what you found out.', 'Write what it rests on.'])
      await page.getByText(missing).waitFor();
    expect(await page.getByRole('dialog').getByRole('radio', { checked: true }).count()).toBe(0);
    await decide(page, 'It is somebody else', 'name_only');
    await announced(page, 'The decision waits for a second person.');
    await hitOf(page, 'un-csnu').getByText('Somebody else has to review your decision.').waitFor();
    expect(await hitOf(page, 'un-csnu').getByRole('button').count()).toBe(0);

    const second = await visit(`/screenings/${first.id}`);
    await enter(second.page, officer);
    await hitOf(second.page, 'un-csnu').getByRole('button', { name: 'Second review' }).click();
    await second.page.getByRole('dialog').getByLabel('It is somebody else').check();
    await second.page.getByLabel('Dismiss for every application of this tax number until').fill('2027-06-30');
    await decide(second.page, 'It is somebody else', 'name_only');
    await announced(second.page, 'The hit is decided.');
    await hitOf(second.page, 'un-csnu').getByText('Somebody else ·').waitFor();

    const { taxId } = (await read({ id: first.applicationId! })).applicant;
    await api('POST', `/v1/applications/${first.applicationId}/withdraw`, {
      token: await ownerToken(),
      body: { reasonCode: 'applicant_request' },
    });
    const again = await application(
      { submit: true },
      {
        ...complete(),
        fullName: 'Sergei Listado Petrov',
        dateOfBirth: '1961-04-02',
        taxId: { type: 'cpf', value: taxId!.value },
      },
    );
    await second.page.goto(new URL(`/screenings/${(await screen(again.id)).id}`, second.page.url()).href);
    await hitOf(second.page, 'un-csnu').getByText('Dismissed by the allow-list').waitFor();
    await second.page.getByRole('link', { name: 'Screening', exact: true }).first().click();
    const entries = second.page.getByRole('region', { name: 'Allow-list' });
    await entries
      .getByRole('row')
      .filter({ hasText: 'Active' })
      .first()
      .getByRole('button', { name: 'Revoke' })
      .click();
    await second.page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await announced(second.page, 'The entry is revoked.');
    await entries.getByText('Revoked').first().waitFor();
  });

  it('whose hit on the list of the United Nations is confirmed shows until when to freeze', async () => {
    const { id } = await screened();
    const { page } = await visit(`/screenings/${id}`, { as: officer });
    await enter(page, officer);
    await hitOf(page, 'un-csnu').getByRole('button', { name: 'Decide' }).click();
    await decide(page, 'It is the same', 'same_person_confirmed');
    await page.getByText('freeze the assets without delay').waitFor();
    await page.getByText('Confirmed match').waitFor();
    expect(await hitOf(page, 'un-csnu').getByRole('button', { name: 'Decide' }).count()).toBe(1);
    const other = await visit(`/screenings/${id}`);
    await enter(other.page, analyst);
    await hitOf(other.page, 'ofac-sdn').getByRole('button', { name: 'Decide' }).waitFor();
    expect(await hitOf(other.page, 'un-csnu').getByRole('button').count()).toBe(0);
  });

  it('is run again, and is distinguished from the one before', async () => {
    const { id } = await screened();
    const { page } = await visit(`/screenings/${id}`, { as: analyst });
    await enter(page, analyst);
    await page.getByRole('button', { name: 'Screen again' }).click();
    await page.getByText('Since the screening before: 0 new, 0 gone, 0 with another score.').waitFor();
    expect(page.url()).not.toContain(id);
    await page.goto(new URL(`/screenings/${id}`, page.url()).href);
    await page.getByText('The same was screened again since').waitFor();
    expect(await page.getByRole('button', { name: /Decide|Screen again/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'To the newest screening' }).click();
    await hitOf(page, 'un-csnu').getByRole('button', { name: 'Decide' }).waitFor();
    await page.getByRole('link', { name: 'Screening', exact: true }).first().click();
    await page.getByRole('table', { name: 'Screenings' }).getByText('superseded').first().waitFor();
  });

  it('is shown without names and reasons to users who may not see them, and not decided by them', async () => {
    const { id } = await screened();
    const { page } = await visit(`/screenings/${id}`, { as: viewer });
    await enter(page, viewer);
    await page.getByText('Your role sees who was screened masked').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    expect(await page.getByRole('button', { name: /Decide|Screen again/ }).count()).toBe(0);
  });

  it('that does not exist leads back to the list, where results are filtered and the lists show their age', async () => {
    await screened();
    const { page, expectedConsoleErrors } = await visit('/screenings/0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21');
    expectedConsoleErrors.add(404);
    await enter(page, analyst);
    await page.getByRole('link', { name: 'To the screenings' }).click();
    await page.getByLabel('Result').selectOption('open_hits');
    await page
      .getByRole('table', { name: 'Screenings' })
      .getByRole('link', { name: 'Sergei Listado Petrov' })
      .first()
      .waitFor();
    expect(page.url()).toContain('result=open_hits');
    await page
      .getByRole('region', { name: 'Watch lists' })
      .getByRole('row')
      .filter({ hasText: 'un-csnu' })
      .getByText('always searched')
      .waitFor();
  });
});

describe('monitoring', () => {
  it('shows alerts with their hits and the monitored people, and records what is decided about an alert', async () => {
    const id = await alerted();
    const { page } = await visit('/monitoring', { as: officer });
    await enter(page, officer);
    const coverage = page.getByRole('region', { name: 'Coverage' });
    await coverage.getByText('Customers', { exact: true }).waitFor();
    await page.getByLabel('Severity').selectOption('critical');
    const rows = page.getByRole('table', { name: 'Alerts' }).getByRole('row').filter({ hasText: 'Hit on un-csnu' });
    await rows.first().getByRole('button', { name: 'Deal with it' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('A critical alert is not dismissed').waitFor();
    expect(await dialog.getByLabel('Dismiss it').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Save' }).click();
    for (const missing of ['Choose what becomes of it.', 'Write what it rests on.'])
      await page.getByText(missing).waitFor();
    await dialog.getByLabel('Hand it on').check();
    await dialog.getByLabel('Why').selectOption('needs_investigation');
    await dialog.getByLabel('Note').fill(NOTE);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await announced(page, 'Noted.');
    await expect.poll(async () => (await alertsOf(id)).map(({ status }) => status)).toContain('escalated');
    await page.getByLabel('Severity').selectOption('');
    await page
      .getByRole('link', { name: /Hit on/ })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: 'Sergei Listado Petrov' }).waitFor();
  });
});

examineStates(visit, [
  {
    name: 'the list of screenings',
    path: '/screenings',
    as: () => officer,
    reach: async (page) => {
      await screened();
      await enter(page, officer);
      await page.getByRole('table', { name: 'Watch lists' }).waitFor();
    },
  },
  {
    name: 'a screening with hits',
    path: '/applications',
    as: () => officer,
    reach: async (page) => {
      const { id } = await screened();
      await enter(page, officer);
      await page.goto(new URL(`/screenings/${id}`, page.url()).href);
      await hitOf(page, 'un-csnu').waitFor();
    },
  },
  {
    name: 'the decision about a hit',
    path: '/applications',
    as: () => officer,
    reach: async (page) => {
      const { id } = await screened();
      await enter(page, officer);
      await page.goto(new URL(`/screenings/${id}`, page.url()).href);
      await hitOf(page, 'un-csnu').getByRole('button', { name: 'Decide' }).click();
      await page.getByLabel('Note').waitFor();
    },
  },
  {
    name: 'a screening without hits',
    path: '/applications',
    as: () => analyst,
    reach: async (page) => {
      const { id } = await screen(
        (await application({ submit: true }, { ...complete(), fullName: newName('Quirino') })).id,
      );
      await enter(page, analyst);
      await page.goto(new URL(`/screenings/${id}`, page.url()).href);
      await page.getByText('Nobody on the lists is like this.').waitFor();
    },
  },
  {
    name: 'the monitoring',
    path: '/monitoring',
    as: () => officer,
    reach: async (page) => {
      await alerted();
      await enter(page, officer);
      await page.getByRole('table', { name: 'Alerts' }).waitFor();
    },
  },
]);
