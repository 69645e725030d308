/** Steps on the page of the team. Used by its browser tests. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { arrive, signedIn } from './sign-in.ts';

export async function openTeam(page: Page, email?: string): Promise<void> {
  await arrive(page);
  await signedIn(page);
  await people(page).first().waitFor();
  if (email !== undefined) await find(page, email);
}

export async function find(page: Page, email: string): Promise<void> {
  await page.getByLabel('Name or e-mail').fill(email);
  await people(page).filter({ hasText: email }).waitFor();
  await expect.poll(() => people(page).count()).toBe(1);
}

export function rowOf(page: Page, name: string): Locator {
  return people(page).filter({ has: page.getByRole('rowheader').getByText(name, { exact: true }) });
}

/** Returns the rows of the table, without its head. */
export function people(page: Page): Locator {
  return page.getByRole('row').filter({ has: page.getByRole('rowheader') });
}

/** Chooses an action of a person's menu. */
export async function act(page: Page, name: string, action: string): Promise<void> {
  await rowOf(page, name)
    .getByRole('button', { name: `Actions for ${name}` })
    .click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}
