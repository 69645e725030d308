import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { callWith } from './support/call.ts';
import { useChromium } from './support/chromium.ts';
import { demo } from './support/service.ts';
import { signIn } from './support/sign-in.ts';
import { examineStates } from './support/states.ts';

const visit = useChromium();
const { apiKey } = demo;

beforeEach(async () => {
  expect(await callWith(apiKey, '/v1/sandbox/data', { method: 'DELETE' })).toBe(200);
  expect(await callWith(apiKey, '/v1/sandbox/enable', { method: 'POST' })).toBe(200);
});

it('plays a recovery from its first event to its last while one watches', async () => {
  const { page } = await visit('/funds-recovery');
  await opened(page);
  await page.getByText('Nothing has happened yet').waitFor();
  await play(page, 'At once');

  const recovery = page.getByRole('article');
  await recovery.locator('.badge').getByText('Completed').waitFor();
  expect(await typesOf(page)).toEqual(['CREATED', 'AWAITING_ANALYSIS', 'COUNTERPARTY_ANALYSED', 'ANALYSED', 'REFUNDING', 'REFUND_CLOSED', 'COMPLETED']);
  expect(await recovery.getByRole('list', { name: 'Lifecycle' }).locator('[aria-current=step]').textContent()).toContain('Completed');
  expect(await recovery.getByRole('list', { name: 'Lifecycle' }).locator('.skipped').textContent()).toContain('Tracked');
  expect(await page.getByText('Nothing has happened yet').isVisible()).toBe(false);
});

it('goes from event to event with the clock, also by the keyboard', async () => {
  const { page } = await visit('/funds-recovery');
  await opened(page);
  await play(page, 'Step by step, with the clock');
  await page.getByRole('listitem').filter({ hasText: 'FUNDS_RECOVERY_CREATED' }).waitFor();
  const before = await typesOf(page);
  await page.getByRole('button', { name: 'To its next event' }).click();
  await expect.poll(async () => (await typesOf(page)).length).toBeGreaterThan(before.length);
  expect((await typesOf(page)).slice(0, before.length)).toEqual(before);
  await page.getByRole('button', { name: 'To its next event' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('To its next event');
});

it('keeps an opened payload open while more events are loaded', async () => {
  const { page } = await visit('/funds-recovery');
  await opened(page);
  await play(page, 'Step by step, with the clock');
  await page.getByText('Payload').first().click();
  await page.locator('.payload').first().getByText('"RootTransactionId"').waitFor();
  const before = await typesOf(page);
  await page.getByRole('button', { name: 'A week' }).click();
  await expect.poll(async () => (await typesOf(page)).length).toBeGreaterThan(before.length);
  await page.locator('.payload').first().getByText('"RootTransactionId"').waitFor();
});

it('shows only the parts that a scenario offers, and what is to come for each', async () => {
  const { page } = await visit('/funds-recovery');
  await opened(page);
  await page.getByLabel('Scenario', { exact: true }).selectOption('tracking-three-reports');
  await page.getByText('11 events to come').waitFor();
  await page.getByLabel('You are').selectOption('RECEIVED');
  await page.getByText('8 events to come').waitFor();
  await page.getByLabel('Scenario', { exact: true }).selectOption('broken-chain');
  expect(await page.getByLabel('You are').locator('option').allTextContents()).toEqual(['The payer’s side, which opens it']);
});

it('says beside the field what is wrong with an amount', async () => {
  const { page, expected } = await visit('/funds-recovery');
  expected.add(422);
  await opened(page);
  await page.getByLabel('Amount in reais').fill('0.01');
  await page.getByRole('button', { name: 'Play' }).click();
  await page.locator('[aria-invalid=true][name=amount]').waitFor();
  expect(await page.getByRole('article').count()).toBe(0);
});

it('comes out the same when something goes wrong between the directory and the service', async () => {
  const { page } = await visit('/funds-recovery');
  await opened(page);
  await page.getByText('Let something go wrong').click();
  await page.getByLabel('What', { exact: true }).selectOption('duplicate_page');
  await page.getByRole('button', { name: 'Arm' }).click();
  await page.getByRole('status').getByText('Duplicate page: armed for the next answer').waitFor();
  await play(page, 'At once');
  await page.getByRole('article').locator('.badge').getByText('Completed').waitFor();
  expect(await typesOf(page)).toHaveLength(7);
});

it('plays nothing while the sandbox is off, and says where to switch it on', async () => {
  expect(await callWith(apiKey, '/v1/sandbox/disable', { method: 'POST' })).toBe(200);
  const { page } = await visit('/funds-recovery');
  await signIn(page);
  await page.getByText('These are live recoveries').waitFor();
  expect(await page.getByRole('button', { name: 'Play' }).count()).toBe(0);
});

examineStates(visit, [
  { name: 'a recovery that is complete', path: '/funds-recovery', reach: async (page) => {
    await opened(page);
    await play(page, 'At once');
    await page.getByRole('article').locator('.badge').getByText('Completed').waitFor();
    await page.getByText('Payload').first().click();
  } },
  { name: 'the page before anything was played', path: '/funds-recovery', reach: async (page) => {
    await opened(page);
    await page.getByText('Let something go wrong').click();
  } },
]);

async function opened(page: Page): Promise<void> {
  await signIn(page);
  await page.getByRole('button', { name: 'Play' }).waitFor();
}

async function play(page: Page, pace: string): Promise<void> {
  await page.getByLabel('Scenario', { exact: true }).selectOption('happy-path');
  await page.getByLabel('Pace').selectOption(pace);
  await page.getByRole('button', { name: 'Play' }).click();
  await page.getByRole('article').first().waitFor();
}

/** The types of the events that the one recovery shows, in order, without what they have in common. */
async function typesOf(page: Page): Promise<string[]> {
  const types = await page.getByRole('list', { name: 'Events' }).locator('li > .muted code').allTextContents();
  return types.map((type) => type.replace('FUNDS_RECOVERY_', ''));
}
