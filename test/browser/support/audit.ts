/** Steps on the pages of the audit log. Used by their browser tests. */
import type { Page } from 'playwright-core';
import { arrive, signedIn } from './sign-in.ts';

/** Signs in, and resolves when the log is shown. */
export async function openAudit(page: Page): Promise<void> {
  await arrive(page);
  await signedIn(page);
  await page.locator('tbody tr').first().waitFor();
}

/** Opens the first event of the log; a checkpoint covers it from the first requested proof on. */
export async function openOldest(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByLabel('Order').selectOption('Oldest first');
  await page.getByRole('row').nth(1).getByText('No. 1', { exact: true }).waitFor();
  await page.getByRole('table').getByRole('link').first().click();
}

export async function proveOldest(page: Page): Promise<void> {
  await openOldest(page);
  await page.getByRole('button', { name: 'Verify in this browser' }).click();
  await page.locator('.audit-findings').waitFor();
}
