/** Steps on the pages of settings. Used by their browser tests. */
import type { Locator, Page } from 'playwright-core';
import type { Credentials } from './sign-in.ts';
import { shown } from './shown.ts';
import { arrive } from './sign-in.ts';
import { announced } from './toast.ts';

export async function openSettings(page: Page, who?: Credentials): Promise<void> {
  await arrive(page, who);
  await page.getByRole('navigation', { name: 'Sections' }).waitFor();
}

/** Opens a section by the navigation beside it. */
export async function section(page: Page, name: string): Promise<Locator> {
  await page
    .getByRole('navigation', { name: 'Sections' })
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .click();
  const part = page.getByRole('region', { name, exact: true });
  await part.waitFor();
  return part;
}

export async function save(part: Locator): Promise<void> {
  await part.getByRole('button', { name: /^Save/ }).click();
}

export async function saved(page: Page, name: string): Promise<void> {
  await announced(page, `${name} saved`);
  // Closes the message, so that the next one is announced anew.
  await page.locator('.toast').first().press('Escape');
  await page.locator('.toast').waitFor({ state: 'detached' });
}

/** Expects that a field shows this message. */
export async function complaint(part: Locator, label: string, words: string | RegExp): Promise<void> {
  await shown(part.locator('.field', { hasText: label }).locator('.field-error').getByText(words).first());
}
