/** Browser tests of the sandbox page. */
import type { Locator, Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { callWith } from './support/call.ts';
import { PHONE, useChromium } from './support/chromium.ts';
import { baseUrl, demo } from './support/service.ts';
import { shown } from './support/shown.ts';
import { arrive, signInInPortuguese } from './support/sign-in.ts';
import { examineStates } from './support/states.ts';

const visit = useChromium();
const { apiKey, testKey } = demo;

async function isUseRecorded(): Promise<boolean> {
  const response = await fetch(`${baseUrl}/v1/settings/api-keys?limit=100`, { headers: { 'X-API-Key': apiKey } });
  const { items } = (await response.json()) as {
    readonly items: readonly { readonly prefix: string; readonly lastUsedAt: string | null }[];
  };
  return items.some(({ prefix, lastUsedAt }) => apiKey.startsWith(prefix) && lastUsedAt !== null);
}

beforeEach(async () => {
  expect(await callWith(apiKey, '/v1/sandbox/disable', { method: 'POST' })).toBe(200);
});

it('switches the sandbox on and off, and explains the effect', async () => {
  const { page } = await visit('/sandbox', { as: demo });
  await openSandbox(page);
  const toggle = page.getByRole('switch', { name: 'Sandbox mode' });
  expect(await toggle.getAttribute('aria-checked')).toBe('false');
  expect(await callWith(testKey)).toBe(403);
  // The warning is about a live key that was used just now.
  expect(await callWith(apiKey)).toBe(200);
  // The service records uses in batches some seconds later, and the warning depends on the record.
  await expect.poll(isUseRecorded, { interval: 500 }).toBe(true);

  await toggle.click();
  await page.locator('[role=switch][aria-checked=true]').waitFor();
  await page.getByText('These live keys are not pinned').waitFor();
  await page.getByText(apiKey.slice(0, 17)).first().waitFor();
  await page.getByRole('banner').getByText('Sandbox').waitFor();
  expect(await callWith(testKey)).toBe(200);

  await toggle.click();
  await page.locator('[role=switch][aria-checked=false]').waitFor();
  expect(await callWith(testKey)).toBe(403);
});

it('deletes what the sandbox holds, after asking', async () => {
  const { page } = await visit('/sandbox', { as: demo });
  await openSandbox(page);
  await page.getByRole('switch', { name: 'Sandbox mode' }).click();
  await page.locator('[role=switch][aria-checked=true]').waitFor();
  const created = await callWith(testKey, '/v1/applications', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ purpose: 'account_opening', applicant: { fullName: 'Maria da Silva' } }),
  });
  expect(created).toBe(201);
  await page.getByRole('switch', { name: 'Sandbox mode' }).click();
  await page.getByRole('button', { name: 'Delete sandbox data' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete sandbox data' }).click();
  await said(page, /^Deleted \d+ applications?/);
  expect(await held(page).allTextContents()).toEqual(['0', '0', '0']);
});

it('lists its personas, in the words of the service', async () => {
  const { page } = await visit('/sandbox', { as: demo });
  await openSandbox(page);
  const { personas } = (await (await fetch(`${baseUrl}/v1/sandbox`, { headers: { 'X-API-Key': apiKey } })).json()) as {
    personas: { name: string; taxId: string; description: string }[];
  };
  expect(personas.length).toBeGreaterThan(0);
  for (const { name, taxId, description } of personas) {
    const row = page.getByRole('row', { name });
    await row.getByText(taxId).waitFor();
    await row.getByText(description).waitFor();
  }
  await page.getByRole('columnheader', { name: 'What comes out' }).waitFor();
});

it('describes each persona in Portuguese, too', async () => {
  const { page } = await visit('/sandbox', { locale: 'pt-BR' });
  await signInInPortuguese(page);
  await page.getByRole('columnheader', { name: 'O que resulta' }).waitFor();
  const { personas } = (await (await fetch(`${baseUrl}/v1/sandbox`, { headers: { 'X-API-Key': apiKey } })).json()) as {
    personas: { description: string }[];
  };
  const texts = await page.getByRole('row').locator('td p:first-child').allTextContents();
  expect(texts).toHaveLength(personas.length);
  expect(texts.filter((text) => personas.some(({ description }) => description === text))).toEqual([]);
});

it('advances the time, and says what changed', async () => {
  const { page } = await visit('/sandbox', { as: demo });
  await switchedOn(page);
  await page.getByLabel('What happens').selectOption('Time passes');
  await page.getByLabel('How much time').selectOption('30 days');
  await page.getByRole('button', { name: 'Simulate' }).click();
  await shown(page.getByRole('region', { name: 'Its clock' }).getByText('30 days ahead of real time'));
  await said(page, 'sandbox clock');
});

it('says that a simulation needs its switch', async () => {
  const { page, expectedConsoleErrors } = await visit('/sandbox', { as: demo });
  expectedConsoleErrors.add(403);
  await openSandbox(page);
  await page.getByRole('button', { name: 'Simulate' }).click();
  await shown(page.getByRole('alert').getByText('Sandbox mode is off'));
});

it('submits an application of a persona', async () => {
  const { page } = await visit('/sandbox', { as: demo });
  await switchedOn(page);
  await page
    .getByRole('row', { name: 'Clara Limpa Santos' })
    .getByRole('button', { name: /^Submit an application/ })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click();
  await said(page, 'is submitted');
  expect(await held(page).first().textContent()).not.toBe('0');
  await page.getByRole('link', { name: 'Open it' }).click();
  await page.waitForURL(/\/applications\/[0-9a-f-]{36}$/);
});

it('publishes the event of a funds recovery', async () => {
  const { page } = await visit('/sandbox', { as: demo });
  await switchedOn(page);
  const events = held(page).nth(2);
  const before = Number(await events.textContent());
  await page.getByLabel('What happens').selectOption('A funds recovery goes on');
  await page.getByRole('button', { name: 'Simulate' }).click();
  await said(page, 'funds recovery');
  await expect.poll(async () => Number(await events.textContent())).toBeGreaterThan(before);
});

it('puts an approved applicant on a list, and says which alert that raised', async () => {
  const { page } = await visit('/sandbox', { as: demo });
  await switchedOn(page);
  const id = await approved();
  await page.getByLabel('What happens').selectOption('An approved applicant is put on a list');
  await page.getByRole('button', { name: 'Simulate' }).click();
  await shown(page.getByText('Enter the id.'));
  await page.getByRole('textbox', { name: 'Id' }).fill(id);
  await page.getByRole('textbox', { name: 'List' }).fill('cgu-pep');
  await page.getByRole('button', { name: 'Simulate' }).click();
  await said(page, /added to cgu-pep.*monitoring alert: raised, medium/);
});

it('shows its history by its own clock, however far that is ahead', async () => {
  const { page } = await visit('/sandbox', { as: demo });
  await switchedOn(page);
  await page.getByLabel('What happens').selectOption('Time passes');
  await page.getByLabel('How much time').selectOption('30 days');
  await page.getByRole('button', { name: 'Simulate' }).click();
  await said(page, 'sandbox clock');
  await approved();
  await page.getByRole('link', { name: 'Applications' }).first().click();
  const changed = page.getByRole('table').getByRole('row').nth(1).locator('time').last();
  // By real time the page would name a change in 30 days.
  await expect.poll(() => changed.textContent()).toMatch(/ago|now/);
});

it('says beside the field what is wrong with the list of a simulation', async () => {
  const { page, expectedConsoleErrors } = await visit('/sandbox', { as: demo });
  expectedConsoleErrors.add(422);
  await switchedOn(page);
  await page.getByLabel('What happens').selectOption('An approved applicant is put on a list');
  await page.getByRole('textbox', { name: 'Id' }).fill(await approved());
  await page.getByRole('textbox', { name: 'List' }).fill('nobody-knows');
  await page.getByRole('button', { name: 'Simulate' }).click();
  await shown(page.getByText('must be one of the lists of the settings'));
});

it('requests the record of a simulation that needs one, and does not overlap on a phone', async () => {
  const { page } = await visit('/sandbox', { ...PHONE, as: demo });
  await switchedOn(page);
  await page.getByLabel('What happens').selectOption('A document expires');
  await page.getByRole('button', { name: 'Simulate' }).click();
  await shown(page.getByText('Enter the id.'));
  const boxes = await Promise.all(
    (await page.locator('.sandbox-pair .facts > div').all()).map((fact) => fact.boundingBox()),
  );
  for (const [index, box] of boxes.entries())
    expect((boxes[index + 1]?.x ?? Infinity) - ((box?.x ?? 0) + (box?.width ?? 0))).toBeGreaterThanOrEqual(0);
});

examineStates(visit, [
  {
    name: 'the sandbox',
    path: '/sandbox',
    as: () => demo,
    reach: (page) => switchedOn(page),
  },
]);

/** Returns a person who is on no list and is approved in the sandbox. */
async function approved(): Promise<string> {
  const call = async <T>(path: string, body: object): Promise<T> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { 'X-API-Key': testKey, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as T;
  };
  const applicant = {
    fullName: 'Quirino Zagalho Tapajós',
    dateOfBirth: '1971-08-09',
    taxId: { type: 'cpf', value: '52998224725' },
  };
  const { id } = await call<{ id: string }>('/v1/applications', {
    purpose: 'account_opening',
    level: 'basic',
    submit: true,
    applicant,
  });
  await call('/v1/screenings', { applicationId: id });
  const { evidenceDigest } = (await (
    await fetch(`${baseUrl}/v1/applications/${id}`, { headers: { 'X-API-Key': testKey } })
  ).json()) as { evidenceDigest: string };
  await call(`/v1/applications/${id}/decisions`, {
    outcome: 'approve',
    reasonCodes: ['identity_confirmed'],
    note: 'Passport and address agree.',
    evidenceDigest,
  });
  return id;
}

/** Returns the counts of the sandbox's content. */
const held = (page: Page): Locator => page.getByRole('region', { name: 'What it holds' }).locator('dd');

async function said(page: Page, words: string | RegExp): Promise<void> {
  await page.locator('.toasts').getByText(words).first().waitFor();
}

async function openSandbox(page: Page): Promise<void> {
  await arrive(page);
  await page.getByRole('switch', { name: 'Sandbox mode' }).waitFor();
}

async function switchedOn(page: Page): Promise<void> {
  await openSandbox(page);
  await page.getByRole('switch').click();
  await page.locator('[role=switch][aria-checked=true]').waitFor();
}
