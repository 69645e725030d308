/** Accepts invitations and enrols an authenticator in the browser. Used by tests of joining. */
import type { Page } from 'playwright-core';
import { Authenticator } from './authenticator.ts';
import { GOOD_PASSWORD } from './people.ts';
import { signedIn } from './sign-in.ts';

/** Returns the path of a link, with its secret. */
export function pathOf(link: string | null): string {
  if (link === null) throw new Error('the invitation was accepted already');
  const { pathname, hash } = new URL(link);
  return `${pathname}${hash}`;
}

/** Accepts the invitation that the page shows. */
export async function join(page: Page, name: string): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(GOOD_PASSWORD);
  await page.getByRole('button', { name: 'Join' }).click();
  await signedIn(page);
}

/** Enrols an authenticator on the page of the account. */
export async function enrol(page: Page): Promise<Authenticator> {
  await page.getByRole('button', { name: 'Enrol an authenticator' }).click();
  await page.getByRole('dialog').getByLabel('Current password').fill(GOOD_PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  const authenticator = new Authenticator((await page.getByRole('dialog').locator('.secret').textContent()) ?? '');
  await page.getByLabel('First code').fill(await authenticator.next());
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('button', { name: 'I have stored them' }).click();
  return authenticator;
}
