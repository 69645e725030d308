import type { Page } from 'playwright-core';

/** Resolves when the page announces that something has happened. */
export async function announced(page: Page, text: string | RegExp): Promise<void> {
  await page.locator('.toast').getByText(text).waitFor();
}
