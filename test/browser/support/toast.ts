/** Expects that the page announces something. Used by browser tests. */
import type { Page } from 'playwright-core';
import { shown } from './shown.ts';

/** Expects that the page announces an event. */
export async function announced(page: Page, text: string | RegExp): Promise<void> {
  await shown(page.locator('.toast').getByText(text));
}
