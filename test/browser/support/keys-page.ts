import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { signIn } from './sign-in.ts';

export async function openKeys(page: Page): Promise<void> {
  await signIn(page);
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
  await page.getByRole('article').first().waitFor();
}

/** Creates a key through the form and answers the secret as it is shown, this once. */
export async function createKey(page: Page, name: string, { live = true, scopes = ['read'] }: { live?: boolean; scopes?: readonly string[] } = {}): Promise<string> {
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

/** Copies the secret, closes the dialog, and answers what was copied. */
export async function takeSecret(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog');
  await dialog.getByText('is shown this once').waitFor();
  const secret = (await dialog.locator('output').textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await dialog.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  return secret;
}

export function card(page: Page, name: string): Locator {
  return page.getByRole('article', { name, exact: true });
}
