/** Steps on the page of API keys. Used by its browser tests. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Credentials } from './sign-in.ts';
import { arrive } from './sign-in.ts';

export async function openKeys(page: Page, who?: Credentials): Promise<void> {
  await arrive(page, who);
  await page.getByRole('heading', { name: 'API keys', exact: true, level: 1 }).waitFor();
  await page.getByRole('table', { name: 'API keys' }).waitFor();
}

/** Creates a key through the form and returns the secret, which is shown only once. */
export async function createKey(
  page: Page,
  name: string,
  { live = true, scopes = ['read'] }: { live?: boolean; scopes?: readonly string[] } = {},
): Promise<string> {
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('radio', { name: live ? 'Live' : 'Test' }).check();
  await chooseScopes(page, scopes);
  await page.getByRole('button', { name: 'Create key' }).click();
  return takeSecret(page);
}

export async function chooseScopes(page: Page, scopes: readonly string[]): Promise<void> {
  for (const box of await page.getByRole('group', { name: 'What the key may do' }).getByRole('checkbox').all()) {
    await box.setChecked(scopes.includes(await box.inputValue()));
  }
}

/** Copies the secret, closes the dialog, and returns the copied text. */
export async function takeSecret(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog');
  const secret = await shownSecret(page);
  await dialog.getByRole('button', { name: 'Copy secret' }).click();
  await dialog.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  await dialog.waitFor({ state: 'detached' });
  return secret;
}

/** Returns the secret in the dialog after a creation or a rotation. */
export async function shownSecret(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog');
  await dialog.getByText('is shown this once').waitFor();
  return (await dialog.getByLabel('secret', { exact: true }).textContent()) ?? '';
}

/** Returns the row of a key in the list. */
export function row(page: Page, name: string): Locator {
  return page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) });
}

/** Starts an action in the menu of a row. */
export async function begin(page: Page, name: string, action: string): Promise<void> {
  await page
    .getByRole('button', { name: `Actions on ${name}`, exact: true })
    .first()
    .click();
  await page.getByRole('menuitem', { name: action }).click();
  await page.getByRole('dialog').waitFor();
}

/** Opens all details of a key. */
export async function openDetails(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name, exact: true }).first().click();
  const details = page.getByRole('dialog', { name, exact: true });
  await details.waitFor();
  return details;
}
