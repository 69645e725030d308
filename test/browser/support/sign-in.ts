/**
 * Signs people in, in the browser or before it opens. Used by all browser tests. Pages never share a session, because
 * the service would take it for stolen.
 */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { Protected } from './people.ts';
import { baseUrl, demo } from './service.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** E-mail address of the sign-in with which a page was opened. */
export const arrived = new WeakMap<Page, string>();

/**
 * Returns what a browser stores of a sign-in, made outside of the browser. Each page gets one of its own, because a
 * session that several browsers renew is treated as stolen.
 */
export async function storedSignIn({
  email,
  password,
}: Credentials): Promise<Exclude<BrowserContextOptions['storageState'], string | undefined>> {
  const answer = await fetch(`${baseUrl}/v1/auth/browser-session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (!answer.ok) throw new Error(`the sign-in of ${email} answered ${answer.status}: ${await answer.text()}`);
  const { csrfToken } = (await answer.json()) as { csrfToken: string };
  const { origin, hostname } = new URL(baseUrl);
  const cookies = answer.headers
    .getSetCookie()
    .map((field) => /^([^=]+)=([^;]*);.*Max-Age=(\d+)/.exec(field))
    .flatMap((found) =>
      found === null
        ? []
        : [
            {
              name: found[1] ?? '',
              value: found[2] ?? '',
              domain: hostname,
              path: '/',
              expires: Math.floor(Date.now() / 1000) + Number(found[3]),
              httpOnly: true,
              secure: true,
              sameSite: 'Strict' as const,
            },
          ],
    );
  return { cookies, origins: [{ origin, localStorage: [{ name: 'session.csrfToken', value: csrfToken }] }] };
}

/** Signs in unless the page was opened with this person's sign-in. */
export async function arrive(page: Page, who: Credentials = demo): Promise<void> {
  if (arrived.get(page) !== who.email) await signIn(page, who);
}

/** Signs in, by default as the owner of the demo tenant. */
export async function signIn(
  page: Page,
  { email = demo.email, password = demo.password }: Partial<Credentials> = {},
): Promise<void> {
  await page.getByLabel('E-mail', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Signs in on a page whose browser speaks Portuguese. */
export async function signInInPortuguese(page: Page, { email, password }: Credentials = demo): Promise<void> {
  await page.getByLabel('E-mail', { exact: true }).fill(email);
  await page.getByLabel('Senha', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Entrar' }).click();
}

/** Signs in a person with a second factor. The page must expect the 401 that requires the factor. */
export async function signInWithCode(page: Page, who: Protected): Promise<void> {
  await signIn(page, who);
  await page.getByLabel('Code of your authenticator').fill(await who.authenticator.next());
  await page.getByRole('button', { name: 'Sign in' }).click();
  await signedIn(page);
}

/** Signs in as after the loss of a phone. The page must expect the 401 that requires the factor. */
export async function signInWithRecoveryCode(page: Page, who: Credentials, recoveryCode: string): Promise<void> {
  await signIn(page, who);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recoveryCode);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await signedIn(page);
}

/** Returns the frame of the dashboard, which only signed-in users see. */
export const frame = (page: Page): Locator => page.locator('.shell');

/** Resolves when a user is signed in. */
export async function signedIn(page: Page): Promise<void> {
  await frame(page).waitFor();
}

/** Signs out by the menu of the account, and resolves when the sign-in page is shown. */
export async function signOut(page: Page, { everywhere = false } = {}): Promise<void> {
  await page.getByRole('button', { name: /^Your menu/ }).click();
  await page.getByRole('menuitem', { name: everywhere ? 'Sign out everywhere…' : 'Sign out', exact: true }).click();
  if (everywhere) await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You are signed out.').waitFor();
}
