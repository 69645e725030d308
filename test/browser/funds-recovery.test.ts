/** Browser tests of the page of funds recoveries, and of playing scenarios on it. */
import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { callWith } from './support/call.ts';
import { PHONE, useChromium } from './support/chromium.ts';
import { person } from './support/people.ts';
import { opened, play, status } from './support/recoveries.ts';
import { demo } from './support/service.ts';
import { shown } from './support/shown.ts';
import { signedIn, signIn } from './support/sign-in.ts';
import { examineStates } from './support/states.ts';
import { announced } from './support/toast.ts';

const visit = useChromium();
const { apiKey } = demo;

beforeEach(async () => {
  expect(await callWith(apiKey, '/v1/sandbox/data', { method: 'DELETE' })).toBe(200);
  expect(await callWith(apiKey, '/v1/sandbox/enable', { method: 'POST' })).toBe(200);
});

it('plays a recovery from its first event to its last while the page shows it', async () => {
  const { page } = await visit('/funds-recovery');
  await opened(page);
  await page.getByText('Nothing has happened yet').waitFor();
  await play(page, 'At once');

  const recovery = page.getByRole('article');
  await status(recovery, 'Completed');
  await expect
    .poll(() => typesOf(page))
    .toEqual([
      'CREATED',
      'REPORT_OPENED',
      'AWAITING_ANALYSIS',
      'REPORT_ACKNOWLEDGED',
      'COUNTERPARTY_ANALYSED',
      'ANALYSED',
      'REFUND_OPENED',
      'REFUNDING',
      'REFUND_CLOSED',
      'COMPLETED',
    ]);
  const course = recovery.getByRole('list', { name: 'Lifecycle' });
  expect(await course.locator('[aria-current=step]').textContent()).toContain('Completed');
  expect(await course.locator('.skipped').textContent()).toContain('Tracked');
  expect(await page.getByText('Nothing has happened yet').isVisible()).toBe(false);
});

it('folds up what is finished, leaves opened parts open, and opens what the address names', async () => {
  const { page } = await visit('/funds-recovery');
  await opened(page);
  await play(page, 'At once');
  await status(page.getByRole('article'), 'Completed');
  const toggle = page.getByRole('article').getByRole('button', { name: /Opened/ });
  expect(await toggle.getAttribute('aria-expanded')).toBe('true');
  expect(new URL(page.url()).searchParams.get('recovery')).toMatch(/^[0-9a-f-]{36}$/);
  await page.goto('/funds-recovery');
  await status(page.getByRole('article'), 'Completed');
  expect(await toggle.getAttribute('aria-expanded')).toBe('false');
  expect(await page.getByRole('list', { name: 'Events' }).count()).toBe(0);
  await toggle.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'Events' }).waitFor();
});

it('filters by status, and preserves the filter in the address', async () => {
  const { page } = await visit('/funds-recovery');
  await opened(page);
  await play(page, 'At once');
  await status(page.getByRole('article'), 'Completed');
  await page.getByLabel('Status').selectOption('Under way');
  await page.getByText('Nothing fits').waitFor();
  await page.reload();
  await page.getByText('Nothing fits').waitFor();
  expect(await page.getByLabel('Status').locator('option:checked').textContent()).toBe('Under way');
  await page.getByLabel('Status').selectOption('Finished');
  await page.getByRole('article').waitFor();
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await expect.poll(() => new URL(page.url()).searchParams.has('status')).toBe(false);
});

it('says which recovery is overdue by the clock of the sandbox', async () => {
  const { page } = await visit('/funds-recovery');
  await opened(page);
  await play(page, 'At once', 'refund-start-timeout');
  await status(page.getByRole('article'), 'Analysed');
  await page.getByText('Due next').waitFor();
  expect(await page.getByText('Overdue', { exact: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'A week' }).click();
  await page.getByRole('article').locator('.badge').getByText('Overdue').waitFor();
  await expect.poll(() => typesOf(page)).toContain('REFUND_START_TIMED_OUT');
  await page.getByText('The request for the refund: the limit has passed').waitFor();
});

it('writes money in one way, in amounts and in the words of events', async () => {
  const { page } = await visit('/funds-recovery');
  await opened(page);
  await play(page, 'At once');
  await status(page.getByRole('article'), 'Completed');
  await page.getByText('Agreed, R$812.40, by').waitFor();
  const text = await page.getByRole('article').innerText();
  expect(text.match(/R\$\s?[\d.,]+\d/g)?.every((amount) => amount === 'R$812.40')).toBe(true);
});

it('shows in Portuguese what a participant answered', async () => {
  const { page } = await visit('/funds-recovery');
  await opened(page);
  await play(page, 'At once');
  await status(page.getByRole('article'), 'Completed');
  await page.getByRole('button', { name: /^Your menu/ }).click();
  await page.getByRole('menuitemradio', { name: 'Português' }).click();
  await shown(page.getByText(/^Acatada, R\$\s812,40, por/));
});

it('goes from event to event with the clock, also by the keyboard and after a reload', async () => {
  const { page } = await visit('/funds-recovery');
  await opened(page);
  await play(page, 'Step by step, with the clock');
  await page.getByRole('listitem').filter({ hasText: 'FUNDS_RECOVERY_CREATED' }).waitFor();
  const before = await typesOf(page);
  await page.reload();
  const next = page.getByRole('button', { name: 'To its next event' });
  await next.click();
  await expect.poll(async () => (await typesOf(page)).length).toBeGreaterThan(before.length);
  expect((await typesOf(page)).slice(0, before.length)).toEqual(before);
  await next.focus();
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await typesOf(page)).length).toBeGreaterThan(before.length + 1);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('To its next event');
});

it('keeps an opened payload open while more events are loaded', async () => {
  const { page } = await visit('/funds-recovery');
  await opened(page);
  await play(page, 'Step by step, with the clock');
  await page.getByText('Payload').first().click();
  await page.locator('.recovery-payload').first().getByText('"RootTransactionId"').waitFor();
  const before = await typesOf(page);
  await page.getByRole('button', { name: 'A week' }).click();
  await expect.poll(async () => (await typesOf(page)).length).toBeGreaterThan(before.length);
  await page.locator('.recovery-payload').first().getByText('"RootTransactionId"').waitFor();
});

it('shows only the roles that a scenario offers, and the expected events for each', async () => {
  const { page } = await visit('/funds-recovery');
  await opened(page);
  await page.getByLabel('Scenario', { exact: true }).selectOption('tracking-three-reports');
  await page.getByText('19 events to come').waitFor();
  await page.getByLabel('You are').selectOption('RECEIVED');
  await page.getByText('11 events to come').waitFor();
  await page.getByLabel('Scenario', { exact: true }).selectOption('broken-chain');
  expect(await page.getByLabel('You are').locator('option').allTextContents()).toEqual([
    'The payer’s side, which opens it',
  ]);
});

it('shows beside the field what is wrong with an amount', async () => {
  const { page, expectedConsoleErrors } = await visit('/funds-recovery');
  expectedConsoleErrors.add(422);
  await opened(page);
  const amount = page.getByLabel('Amount in reais');
  await amount.fill('');
  await page.getByRole('button', { name: 'Play' }).click();
  await page.getByText('Enter the amount of the payment.').waitFor();
  await amount.fill('0.01');
  await page.getByRole('button', { name: 'Play' }).click();
  await page.getByText('From R$1.00 to R$1,000,000,000.00.').waitFor();
  expect(await amount.getAttribute('aria-invalid')).toBe('true');
  await amount.fill('much');
  await page.getByRole('button', { name: 'Play' }).click();
  await page.getByText('Enter an amount such as 812.40.').waitFor();
  expect(await page.getByRole('article').count()).toBe(0);
});

it('has the same result if a fault occurs between the directory and the service', async () => {
  const { page } = await visit('/funds-recovery');
  await opened(page);
  await page.getByText('Let something go wrong').click();
  await page.getByLabel('What', { exact: true }).selectOption('duplicate_page');
  await page.getByRole('button', { name: 'Arm' }).click();
  await announced(page, 'Duplicate page: armed for the next answer');
  await play(page, 'At once');
  await status(page.getByRole('article'), 'Completed');
  await expect.poll(async () => (await typesOf(page)).length).toBe(10);
});

it('plays nothing while the sandbox is off, and says where to switch it on', async () => {
  expect(await callWith(apiKey, '/v1/sandbox/disable', { method: 'POST' })).toBe(200);
  const { page } = await visit('/funds-recovery');
  await signIn(page);
  await page.getByText('These are live recoveries').waitFor();
  expect(await page.getByRole('button', { name: 'Play' }).count()).toBe(0);
  await page.getByRole('main').getByRole('link', { name: 'Sandbox' }).waitFor();
});

it('offers nothing that the role cannot do', async () => {
  const viewer = await person('viewer', 'Watching Vera');
  const { page } = await visit('/funds-recovery');
  await signIn(page, viewer);
  await signedIn(page);
  await page.getByText('Nothing has happened yet').waitFor();
  expect(await page.getByRole('button', { name: 'Play' }).count()).toBe(0);
  expect(await page.getByText('Let something go wrong').count()).toBe(0);
});

it('shows the recoveries before the controls on a phone, where these are folded up', async () => {
  const { page } = await visit('/funds-recovery', PHONE);
  await signIn(page);
  await page.getByText('Nothing has happened yet').waitFor();
  expect(await page.getByRole('button', { name: 'Play' }).isVisible()).toBe(false);
  await page.getByText('Play a scenario', { exact: true }).click();
  await page.getByRole('button', { name: 'Play' }).waitFor();
});

examineStates(visit, [
  {
    name: 'a recovery that is complete',
    path: '/funds-recovery',
    reach: async (page) => {
      await opened(page);
      await play(page, 'At once');
      await status(page.getByRole('article'), 'Completed');
      await page.getByText('Payload').first().click();
    },
  },
  {
    name: 'a recovery that is overdue',
    path: '/funds-recovery',
    reach: async (page) => {
      await opened(page);
      await play(page, 'At once', 'refund-start-timeout');
      await page.getByRole('button', { name: 'A week' }).click();
      await page.getByRole('article').locator('.badge').getByText('Overdue').waitFor();
    },
  },
  {
    name: 'the page before anything was played',
    path: '/funds-recovery',
    reach: async (page) => {
      await opened(page);
      await page.getByText('Let something go wrong').click();
    },
  },
]);

/** Returns the types of the events of the one recovery, in order, without their common prefix. */
async function typesOf(page: Page): Promise<string[]> {
  const types = await page.getByRole('list', { name: 'Events' }).locator('li > .muted code').allTextContents();
  return types.map((type) => type.replace('FUNDS_RECOVERY_', ''));
}
