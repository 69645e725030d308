/** Browser tests of cases and of the work of a person. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { api } from './support/api.ts';
import { application, complete, enter, newName, ownerToken } from './support/applications.ts';
import { useChromium } from './support/chromium.ts';
import { person, type Person } from './support/people.ts';
import { shown } from './support/shown.ts';
import { examineStates } from './support/states.ts';
import { announced } from './support/toast.ts';

type Schemas = components['schemas'];

const visit = useChromium();
const NOTE = 'The statement of account explains the transfers.';

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
  // Other files may have left cases, which would be more urgent than those of this file.
  const { items } = await api<Schemas['ReviewCaseList']>('GET', '/v1/cases?status=open&limit=100', {
    token: officer.token,
  });
  const caseIds = items.map(({ id }) => id);
  if (caseIds.length > 0)
    await api('POST', '/v1/cases/assign', { token: officer.token, body: { caseIds, assigneeId: officer.id } });
});

/** Opens a case about a new applicant, in the most urgent queue, so that it is the next one. */
async function opened(queue = 'critical'): Promise<Schemas['ReviewCase']> {
  const { id } = await application({ submit: true }, { ...complete(), fullName: newName('Rosalva') });
  return api('POST', '/v1/cases', {
    token: officer.token,
    body: { type: 'ad_hoc', applicationId: id, queue },
  });
}

const read = ({ id }: Pick<Schemas['ReviewCase'], 'id'>): Promise<Schemas['ReviewCase']> =>
  api('GET', `/v1/cases/${id}`, { token: officer.token });

const pathOf = ({ id }: Pick<Schemas['ReviewCase'], 'id'>): string => `/cases/${id}`;

async function resolve(page: Page, outcome: string, reason: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Outcome').selectOption(outcome);
  await dialog.getByLabel(reason).check();
  await dialog.getByLabel('Note').fill(NOTE);
  await dialog.getByRole('button', { name: 'Resolve' }).click();
}

describe('the work of a person', () => {
  it('is done from the keyboard alone: take the next case, write a note, resolve it, take the next one', async () => {
    await opened();
    await opened();
    const { page } = await visit('/work', { as: analyst });
    await page.getByRole('button', { name: 'Take the next case' }).waitFor();
    await page.keyboard.press('Alt+N');
    await page.waitForURL(/\/cases\/[0-9a-f-]{36}$/);
    const first = page.url();
    await shown(page.getByRole('region', { name: 'The applicant' }).getByText('Rosalva'));
    await page.getByLabel('New note').focus();
    await page.keyboard.type('The applicant has sent the statement.');
    await page.getByRole('button', { name: 'Add the note' }).focus();
    await page.keyboard.press('Enter');
    await announced(page, 'The note is added.');
    await shown(page.getByRole('region', { name: 'Notes' }).getByText('The applicant has sent the statement.'));
    await page.keyboard.press('Alt+R');
    await resolve(page, 'cleared', 'The documents suffice');
    await announced(page, 'The case is resolved.');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Take the next case' }).waitFor();
    await page.keyboard.press('Alt+N');
    await page.waitForURL((url) => /\/cases\/[0-9a-f-]{36}$/.test(url.pathname) && url.href !== first);
    await shown(page.getByText('In progress', { exact: true }));
  });

  it('lists what waits for the person, and leads to each record', async () => {
    const one = await opened();
    await api('PATCH', `/v1/cases/${one.id}`, { token: officer.token, body: { assigneeId: officer.id } });
    const { page } = await visit('/work', { as: officer });
    await page.getByLabel('Kind').selectOption('case');
    await page.getByRole('table', { name: 'My work' }).getByRole('link', { name: 'Case: Other' }).first().click();
    await shown(page.getByRole('heading', { level: 1, name: /Other/ }));
  });
});

describe('a case', () => {
  it('whose risk is confirmed is resolved by a second person, in Portuguese by the first', async () => {
    const one = await opened('low');
    const { page } = await visit(pathOf(one), { as: analyst, locale: 'pt-BR' });
    await page.getByRole('button', { name: 'Atribuir a mim' }).click();
    await announced(page, 'O caso é seu.');
    await page.getByRole('button', { name: 'Concluir' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Concluir' }).click();
    await shown(dialog.getByText('Escolha um resultado.'));
    await dialog.getByLabel('Resultado').selectOption({ label: 'Risco confirmado' });
    await dialog.getByLabel('A suspeita foi confirmada').check();
    await dialog.getByLabel('Observação').fill('O extrato não explica as transferências.');
    await dialog.getByRole('button', { name: 'Concluir' }).click();
    await announced(page, 'A conclusão aguarda outra pessoa.');
    await shown(page.getByText('Você a propôs, por isso outra pessoa a revisa.'));

    const other = await visit('/work?kind=resolution', { as: officer });
    await other.page.getByRole('link', { name: 'Resolution to review: Risk confirmed' }).first().click();
    await other.page.getByRole('button', { name: 'Review it' }).click();
    const review = other.page.getByRole('dialog');
    await review.getByLabel('Verdict').selectOption('confirm');
    await review.getByLabel('Note').fill('I have read the statement.');
    await review.getByRole('button', { name: 'Give the verdict' }).click();
    await announced(other.page, 'The case is resolved.');
    expect((await read(one)).status).toBe('resolved');
    await other.page.getByRole('button', { name: 'Reopen' }).waitFor();
  });

  it('is put on hold, woken and given back to its queue, and keeps its tags', async () => {
    const one = await opened('low');
    const { page } = await visit(pathOf(one), { as: analyst });
    await page.getByRole('button', { name: 'Assign to me' }).click();
    await announced(page, 'The case is yours.');
    await page.getByRole('button', { name: 'Queue, snooze, tags' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Tags').fill('branch-12');
    // The clock of the sandbox may be days ahead of the real one, because another file moved it.
    const nextDay = new Date(Date.parse(one.createdAt) + 86_400_000);
    await dialog.getByLabel('On hold until').fill(nextDay.toISOString().slice(0, 16));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await announced(page, 'The case is changed.');
    await shown(page.getByText('On hold', { exact: true }));
    await page.getByRole('button', { name: 'Wake it' }).click();
    await announced(page, 'The case is in work again.');
    expect(await read(one)).toMatchObject({ status: 'in_progress', assigneeId: analyst.id });
    await page.getByRole('button', { name: 'Return to the queue' }).click();
    await announced(page, 'The case is in its queue again.');
    expect((await read(one)).tags).toEqual(['branch-12']);
  });

  it('is found by its filters, and shown without notes to users who see personal data masked', async () => {
    const one = await opened('low');
    const { page } = await visit('/cases', { as: viewer });
    await page.getByLabel('Order').selectOption('-createdAt');
    await page
      .getByRole('table', { name: 'Cases' })
      .getByRole('link', { name: String(one.number) })
      .click();
    await shown(page.getByText('Your role sees notes and resolutions masked.'));
    expect(await page.getByRole('button', { name: /Resolve|Assign|Add the note/ }).count()).toBe(0);
  });

  it('that does not exist leads back to the list', async () => {
    const { page, expectedConsoleErrors } = await visit('/cases/0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21', { as: analyst });
    expectedConsoleErrors.add(404);
    await page.getByRole('link', { name: 'To the cases' }).click();
    await shown(page.getByRole('region', { name: 'At a glance' }));
  });
});

examineStates(visit, [
  {
    name: 'the work of a person',
    path: '/work',
    as: () => analyst,
    reach: async (page) => {
      await enter(page, analyst);
      const one = await opened();
      await api('PATCH', `/v1/cases/${one.id}`, { token: officer.token, body: { assigneeId: analyst.id } });
      await page.reload();
      await page.getByRole('table', { name: 'My work' }).waitFor();
    },
  },
  {
    name: 'the list of cases',
    path: '/cases',
    as: () => officer,
    reach: async (page) => {
      await enter(page, officer);
      await opened();
      await page.reload();
      await page.getByRole('table', { name: 'Cases' }).waitFor();
      await page.getByRole('region', { name: 'At a glance' }).waitFor();
    },
  },
  {
    name: 'a case',
    path: '/cases',
    as: () => officer,
    reach: async (page) => {
      await enter(page, officer);
      const one = await opened('low');
      await api('POST', `/v1/cases/${one.id}/notes`, { token: officer.token, body: { text: NOTE } });
      await page.goto(new URL(pathOf(one), page.url()).href);
      await page.getByRole('region', { name: 'Notes' }).getByText(NOTE).waitFor();
    },
  },
  {
    name: 'the resolution of a case',
    path: '/cases',
    as: () => officer,
    reach: async (page) => {
      await enter(page, officer);
      const one = await opened('low');
      await page.goto(new URL(pathOf(one), page.url()).href);
      await page.getByRole('button', { name: 'Resolve' }).click();
      await page.getByLabel('Note').last().waitFor();
    },
  },
]);
