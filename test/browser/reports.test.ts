/** Browser tests of the reports to the authority, which only compliance officers know of. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { jpeg } from '../support/specimens.ts';
import { api } from './support/api.ts';
import { application, complete, enter, newName, ownerToken } from './support/applications.ts';
import { useChromium } from './support/chromium.ts';
import { person, type Person } from './support/people.ts';
import { gone, shown } from './support/shown.ts';
import { examineStates } from './support/states.ts';
import { announced } from './support/toast.ts';

type Schemas = components['schemas'];

const visit = useChromium();
const UNKNOWN = '0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21';

let officer: Person;
let analyst: Person;
beforeAll(async () => {
  await api('POST', '/v1/sandbox/enable', { token: await ownerToken() });
  [officer, analyst] = [await person('compliance_officer', 'Carla Dias'), await person('analyst', 'Bruno Lima')];
});

async function opened(): Promise<Schemas['ReviewCase']> {
  const { id } = await application({ submit: true }, { ...complete(), fullName: newName('Rosalva') });
  return api('POST', '/v1/cases', {
    token: officer.token,
    body: { type: 'ad_hoc', applicationId: id, queue: 'low' },
  });
}

async function begun(body: Schemas['ReportCreate'] = { kind: 'suspicious_operation' }): Promise<Schemas['Report']> {
  const { id } = await opened();
  return api('POST', `/v1/cases/${id}/reports`, { token: officer.token, body });
}

const read = (id: string): Promise<Schemas['Report']> =>
  api('GET', `/v1/cases/reports/${id}`, { token: officer.token });

const pathOf = ({ id }: Pick<Schemas['Report'], 'id'>): string => `/cases/reports/${id}`;
const idIn = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1)!;

describe('a report', () => {
  it('of a suspicious operation is prepared from a case, written, decided and filed', async () => {
    const one = await opened();
    const { page } = await visit(`/cases/${one.id}`, { as: officer });
    await page.getByRole('button', { name: 'Prepare a report' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Begin the report' }).click();
    await shown(dialog.getByText('Choose a kind.'));
    await dialog.getByLabel('Kind').selectOption('suspicious_operation');
    await dialog.getByRole('button', { name: 'Begin the report' }).click();
    await announced(page, 'The report is begun, with its own copy of the case.');
    await page.waitForURL(/\/cases\/reports\/[0-9a-f-]{36}$/);
    await shown(page.getByRole('region', { name: 'Copy of the case' }).getByText(one.number));

    await page.getByLabel('What was observed').fill('Three transfers without a reason.');
    await page.getByRole('button', { name: 'Save the narrative' }).click();
    await announced(page, 'The narrative is saved.');

    await page.getByRole('button', { name: 'Day, amount, parties' }).click();
    await dialog.getByLabel('Parties').fill('Rosalva Souza');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await shown(dialog.getByText('Write the name and, after a semicolon, the part that it took.'));
    await dialog.getByLabel('Parties').fill('Rosalva Souza; titular; 529.982.247-25');
    await dialog.getByLabel('Amount', { exact: true }).fill('1250.50');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await announced(page, 'The report is changed.');
    await shown(page.getByText('Rosalva Souza · 529.982.247-25 · titular'));

    await page.getByRole('button', { name: 'Add a document' }).click();
    await page.locator('input[type=file]').setInputFiles({
      name: 'statement.jpg',
      mimeType: 'image/jpeg',
      buffer: jpeg(),
    });
    await page.getByRole('button', { name: 'Upload' }).click();
    await announced(page, 'The document is added.');
    await shown(page.getByText('statement.jpg'));

    await page.getByRole('button', { name: 'Decide' }).click();
    await dialog.getByLabel('Decision').selectOption('report');
    await dialog.getByLabel('Reasons').fill('The transfers stay unexplained.');
    await dialog.getByRole('button', { name: 'Decide' }).click();
    await announced(page, 'The report is decided.');

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save the file for submission' }).click();
    expect((await download).suggestedFilename()).toMatch(/\.(xml|csv|txt)$/);

    await page.getByRole('button', { name: 'Mark as filed' }).click();
    await dialog.getByLabel('Protocol').fill('2026-0001');
    await dialog.getByRole('button', { name: 'Mark as filed' }).click();
    await announced(page, 'The filing is recorded.');
    await gone(page.getByRole('button', { name: 'Save the narrative' }));
    expect(await read(idIn(page))).toMatchObject({
      status: 'filed',
      protocol: '2026-0001',
      narrative: 'Three transfers without a reason.',
      amount: { amount: 125050, currency: 'BRL' },
    });
  });

  it('of an operation in cash needs the day of the operation, in Portuguese', async () => {
    const one = await opened();
    const { page } = await visit(`/cases/${one.id}`, { as: officer, locale: 'pt-BR' });
    await page.getByRole('button', { name: 'Preparar uma comunicação' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Tipo').selectOption('cash_operation');
    await dialog.getByRole('button', { name: 'Iniciar a comunicação' }).click();
    await shown(dialog.getByText('Informe o dia da operação.'));
    await dialog.getByLabel('Dia da operação').fill('2026-11-16');
    await dialog.getByRole('button', { name: 'Iniciar a comunicação' }).click();
    await shown(page.getByText('A enviar', { exact: true }));
    expect((await read(idIn(page))).operationOn).toBe('2026-11-16');
  });

  it('that somebody else has changed meanwhile is not overwritten', async () => {
    const one = await begun();
    const { page, expectedConsoleErrors } = await visit(pathOf(one), { as: officer });
    const narrative = page.getByLabel('What was observed');
    await narrative.fill('Mine.');
    await api('PATCH', `/v1/cases/reports/${one.id}`, { token: officer.token, body: { narrative: 'Theirs.' } });
    expectedConsoleErrors.add(412);
    await page.getByRole('button', { name: 'Save the narrative' }).click();
    await shown(page.getByRole('alert'));
    expect((await read(one.id)).narrative).toBe('Theirs.');
  });

  it('is found by its kind and its status; that nothing occurred is declared from the list', async () => {
    await begun();
    const { page } = await visit('/cases', { as: officer });
    await page.getByRole('navigation').getByRole('link', { name: 'Reports' }).click();
    await page.getByRole('table', { name: 'Reports' }).waitFor();
    await page.getByLabel('Kind').selectOption('suspicious_operation');
    await page.getByLabel('Status').selectOption('draft');
    await shown(page.getByRole('row', { name: /Suspicious operation Draft/ }).first());
    await page.getByRole('button', { name: 'Declare that nothing occurred' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Year').fill('2021');
    await dialog.getByRole('button', { name: 'Prepare the declaration' }).click();
    await announced(page, 'The declaration is ready to be filed.');
    await shown(page.getByRole('heading', { level: 1, name: 'Nothing occurred · 2021' }));
  });

  it('leaves its trace in the sealed log, which is verified', async () => {
    await begun();
    const { page } = await visit('/cases/reports/log', { as: officer });
    await shown(page.getByText('The sealed log holds'));
    await shown(page.getByRole('table', { name: 'Events' }).getByText('Report begun').first());
  });
});

describe('for everybody but compliance officers', () => {
  it('no page mentions reports, and their addresses are like any that does not exist', async () => {
    const one = await begun();
    const { page, expectedConsoleErrors } = await visit(`/cases/${one.caseId}`, { as: analyst });
    await page.getByRole('region', { name: 'Notes' }).waitFor();
    expect(await page.getByText(/report/i).count()).toBe(0);
    const headingAt = async (path: string): Promise<string> => {
      await page.goto(new URL(path, page.url()).href);
      await page.locator('h1').waitFor();
      return page.locator('h1').innerText();
    };
    expectedConsoleErrors.add(404);
    const noCase = await headingAt(`/cases/${UNKNOWN}`);
    const noPage = await headingAt('/cases/others/x');
    expect(await headingAt('/cases/reports')).toBe(noCase);
    expect(await headingAt(pathOf(one))).toBe(noPage);
    expect(await headingAt('/cases/reports/log')).toBe(noPage);
  });
});

examineStates(visit, [
  {
    name: 'the list of reports',
    path: '/cases/reports',
    as: () => officer,
    reach: async (page) => {
      await enter(page, officer);
      await begun();
      await page.reload();
      await page.getByRole('table', { name: 'Reports' }).waitFor();
    },
  },
  {
    name: 'a report',
    path: '/cases/reports',
    as: () => officer,
    reach: async (page) => {
      await enter(page, officer);
      const one = await begun();
      await page.goto(new URL(pathOf(one), page.url()).href);
      await page.getByRole('button', { name: 'Day, amount, parties' }).click();
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Save the narrative' }).waitFor();
    },
  },
  {
    name: 'the preparation of a report',
    path: '/cases',
    as: () => officer,
    reach: async (page) => {
      await enter(page, officer);
      const { id } = await opened();
      await page.goto(new URL(`/cases/${id}`, page.url()).href);
      await page.getByRole('button', { name: 'Prepare a report' }).click();
      await page.getByLabel('Day of the operation').waitFor();
    },
  },
  {
    name: 'the sealed log of reports',
    path: '/cases/reports/log',
    as: () => officer,
    reach: async (page) => {
      await enter(page, officer);
      await page.getByRole('table', { name: 'Events' }).waitFor();
    },
  },
]);
