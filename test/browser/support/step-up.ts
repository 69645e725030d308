/** Answers the question for a fresh second factor. Used by tests of actions that may ask for it. */
import type { Locator, Page } from 'playwright-core';
import type { Authenticator } from './authenticator.ts';

/** Enters a code if the page requires a fresh second factor before it continues. */
export async function answerIfPrompted(page: Page, authenticator: Authenticator, next: Locator): Promise<void> {
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await question.or(next).first().waitFor();
  if (!(await question.isVisible())) return;
  await question.getByLabel('Code of your authenticator').fill(await authenticator.next());
  await question.getByRole('button', { name: 'Confirm' }).click();
}
