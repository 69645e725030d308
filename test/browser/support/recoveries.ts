/** Steps on the page of recoveries. Used by its browser tests. */
import type { Locator, Page } from 'playwright-core';
import { signIn } from './sign-in.ts';

/** Signs in and waits for the form that plays a scenario. */
export async function opened(page: Page): Promise<void> {
  await signIn(page);
  await page.getByRole('button', { name: 'Play' }).waitFor();
}

export async function play(page: Page, pace: string, scenario = 'happy-path'): Promise<void> {
  await page.getByLabel('Scenario', { exact: true }).selectOption(scenario);
  await page.getByLabel('Pace').selectOption(pace);
  await page.getByRole('button', { name: 'Play' }).click();
  await page.getByRole('article').first().waitFor();
  await page.getByRole('list', { name: 'Events' }).first().waitFor();
}

export async function status(recovery: Locator, word: string): Promise<void> {
  await recovery.locator('.badge').getByText(word, { exact: true }).waitFor();
}
