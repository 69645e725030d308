import { beforeEach, expect, inject, it } from 'vitest';
import { useChromium } from './support/chromium.ts';
import { callWith, openKeys } from './support/keys-page.ts';

const visit = useChromium();
const { apiKey, testKey } = inject('demo');

beforeEach(async () => {
  expect(await callWith(apiKey, '/v1/sandbox/disable', { method: 'POST' })).toBe(200);
});

it('switches the sandbox on and off, and says what that means', async () => {
  const { page } = await visit('/keys');
  await openKeys(page);
  const toggle = page.getByRole('switch', { name: 'Sandbox mode' });
  expect(await toggle.getAttribute('aria-checked')).toBe('false');
  expect(await callWith(testKey)).toBe(403);
  // A live key that was used just now is what the warning is about.
  expect(await callWith(apiKey)).toBe(200);

  await toggle.click();
  await page.locator('[role=switch][aria-checked=true]').waitFor();
  await page.getByText('Live keys without').waitFor();
  await page.getByText(apiKey.slice(0, 17)).first().waitFor();
  await page.locator('.signed-in').getByText('Sandbox').waitFor();
  expect(await callWith(testKey)).toBe(200);

  await toggle.click();
  await page.locator('[role=switch][aria-checked=false]').waitFor();
  expect(await callWith(testKey)).toBe(403);
});

it('deletes what the sandbox holds, after asking', async () => {
  const { page } = await visit('/keys');
  await openKeys(page);
  await page.getByRole('switch', { name: 'Sandbox mode' }).click();
  await page.locator('[role=switch][aria-checked=true]').waitFor();
  const created = await callWith(testKey, '/v1/applications', {
    method: 'POST', headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ purpose: 'account_opening', applicant: { fullName: 'Maria da Silva' } }),
  });
  expect(created).toBe(201);
  await page.getByRole('switch', { name: 'Sandbox mode' }).click();
  await page.getByRole('button', { name: 'Delete sandbox data' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete sandbox data' }).click();
  await page.getByRole('status').getByText(/^Deleted \d+ applications?/).waitFor();
  expect(await page.locator('.counts dd').allTextContents()).toEqual(['0', '0', '0']);
});
