import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useChromium } from './support/chromium.ts';
import { card, chooseScopes, openKeys } from './support/keys-page.ts';
import { examineStates } from './support/states.ts';

const visit = useChromium();

examineStates(visit, [
  { name: 'the list of keys', path: '/keys', reach: openKeys },
  { name: 'the form of a new key with its errors', path: '/keys', reach: refusedForm, refusals: [422] },
  { name: 'a secret that is shown', path: '/keys', reach: shownSecret },
  { name: 'the question before a key is revoked', path: '/keys', reach: (page) => askAt(page, /^Revoke/) },
  { name: 'the form of an existing key', path: '/keys', reach: (page) => askAt(page, /^Edit/) },
]);

it('can be used by keyboard alone, and gives the focus back', async () => {
  const { page } = await visit('/keys');
  await openKeys(page);
  await page.getByRole('button', { name: 'Create a key' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Create a key' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Create a key');
});

it('does not lose a secret to the Escape key', async () => {
  const { page } = await visit('/keys');
  await shownSecret(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  expect(await page.getByRole('dialog').isVisible()).toBe(true);
});

async function refusedForm(page: Page): Promise<void> {
  await openKeys(page);
  await page.getByRole('button', { name: 'Create a key' }).click();
  await chooseScopes(page, []);
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.locator('.field-error span').first().waitFor();
}

async function shownSecret(page: Page): Promise<void> {
  await openKeys(page);
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('Name').fill('Shown');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('is shown this once').waitFor();
}

async function askAt(page: Page, action: RegExp): Promise<void> {
  await openKeys(page);
  const name = (await page.getByRole('article').first().getByRole('heading').textContent()) ?? '';
  await card(page, name).first().getByRole('button', { name: action }).click();
  await page.getByRole('dialog').waitFor();
}
