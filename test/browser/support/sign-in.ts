import type { Page } from 'playwright-core';
import type { Protected } from './people.ts';
import { demo } from './service.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Signs in, as the owner of the demo tenant unless told otherwise. */
export async function signIn(page: Page, { email = demo.email, password = demo.password }: Partial<Credentials> = {}): Promise<void> {
  await page.getByLabel('E-mail', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** The same for a page whose browser speaks Portuguese. */
export async function signInInPortuguese(page: Page, { email, password }: Credentials = demo): Promise<void> {
  await page.getByLabel('E-mail', { exact: true }).fill(email);
  await page.getByLabel('Senha', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Entrar' }).click();
}

/** Signs in somebody who has a second factor. The page must expect the 401 that asks for it. */
export async function signInWithCode(page: Page, who: Protected): Promise<void> {
  await signIn(page, who);
  await page.getByLabel('Code of your authenticator').fill(await who.authenticator.next());
  await page.getByRole('button', { name: 'Sign in' }).click();
  await signedIn(page);
}

/** As after a lost telephone. The page must expect the 401 that asks for it. */
export async function signInWithRecoveryCode(page: Page, who: Credentials, recoveryCode: string): Promise<void> {
  await signIn(page, who);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recoveryCode);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await signedIn(page);
}

/** Resolves when somebody is in: the frame of the dashboard is there. */
export async function signedIn(page: Page): Promise<void> {
  await page.locator('.shell').waitFor();
}

/** Signs out by the menu of the account, and resolves when the sign-in is there. */
export async function signOut(page: Page, { everywhere = false } = {}): Promise<void> {
  await page.getByRole('button', { name: /^Your menu/ }).click();
  await page.getByRole('menuitem', { name: everywhere ? 'Sign out everywhere…' : 'Sign out', exact: true }).click();
  if (everywhere) await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You are signed out.').waitFor();
}
