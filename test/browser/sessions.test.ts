/** Browser tests of the sessions of the dashboard: renewal, expiry and end. */
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { api } from './support/api.ts';
import { PHONE, useChromium } from './support/chromium.ts';
import { person, type Person } from './support/people.ts';
import { shown } from './support/shown.ts';
import { frame, signedIn, signIn, signOut } from './support/sign-in.ts';

const visit = useChromium();

const ENDED = 'Your session has ended. Sign in again.';

async function anotherTab(page: Page, path = '/account'): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(path);
  return tab;
}

/** Returns the statuses of the browser's renewals from now on. */
function renewals(context: BrowserContext): number[] {
  const statuses: number[] = [];
  context.on('response', (response) => {
    if (response.url().endsWith('/browser-session/renew')) statuses.push(response.status());
  });
  return statuses;
}

/** Moves the page's clock a day ahead, so that every access token has expired. */
async function passTime(page: Page): Promise<void> {
  await page.clock.setSystemTime(Date.now() + 86_400_000);
}

/** Returns to the tab, so that the page asks the service for changes. */
async function comeBack(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
}

async function cookiesOf(page: Page): Promise<string[]> {
  return (await page.context().cookies()).map(({ name }) => name);
}

async function sessionsOf({ id, token }: Person): Promise<number> {
  return (await api<{ items: unknown[] }>('GET', `/v1/users/${id}/sessions`, { token })).items.length;
}

/** Ends all sessions of the person as another device would. */
async function endFromElsewhere({ token }: Person): Promise<void> {
  await api('POST', '/v1/auth/logout', { token, body: { everywhere: true } });
}

describe('a session of the dashboard', () => {
  it('survives a reload, at the open address, and exists in a new tab and after the browser was closed', async () => {
    const { page } = await visit('/account');
    await signIn(page);
    await signedIn(page);
    await page.reload();
    await signedIn(page);
    expect(new URL(page.url()).pathname).toBe('/account');
    const second = await anotherTab(page, '/team');
    await signedIn(second);
    await page.close();
    await second.close();
    await signedIn(await anotherTab(page));
  });

  it('is one session, however many tabs are opened at once', async () => {
    const who = await person();
    const { page } = await visit('/account');
    await signIn(page, who);
    await signedIn(page);
    const before = await sessionsOf(who);
    const tabs = await Promise.all(Array.from({ length: 5 }, () => anotherTab(page)));
    await Promise.all(tabs.map((tab) => signedIn(tab)));
    expect(await sessionsOf(who)).toBe(before);
    await page.reload();
    await signedIn(page);
  });

  it('survives the reload key held down', async () => {
    const { page } = await visit('/account');
    await signIn(page, await person());
    await signedIn(page);
    // Opening the same address loads the page anew; unlike a reload, this is possible in the middle of the previous
    // navigation.
    for (let i = 0; i < 6; i++) await page.goto(page.url(), { waitUntil: 'commit' });
    await shown(frame(page));
  });

  it('is stored where no script can read it', async () => {
    const { page } = await visit('/account');
    await signIn(page);
    await signedIn(page);
    expect(
      await page.evaluate(() => [
        document.cookie,
        Object.values({ ...localStorage, ...sessionStorage }).filter((value) => /^(rtb?_|eyJ)/.test(String(value))),
      ]),
    ).toEqual(['', []]);
    const cookies = (await page.context().cookies()).toSorted((a, b) => a.name.localeCompare(b.name));
    expect(cookies).toMatchObject(
      ['__Host-device', '__Host-session'].map((name) => ({
        name,
        httpOnly: true,
        secure: true,
        sameSite: 'Strict',
        path: '/',
      })),
    );
    expect(cookies.map(({ expires }) => Math.round((expires - Date.now() / 1000) / 86_400))).toEqual([90, 14]);
  });
});

describe('an access token that has expired', () => {
  it('is renewed without a message', async () => {
    const { page } = await visit('/account');
    await signIn(page, await person());
    await signedIn(page);
    const statuses = renewals(page.context());
    await passTime(page);
    await comeBack(page);
    await expect.poll(() => statuses).toEqual([200]);
    await signedIn(page);
  });

  it.each([
    ['take turns', true],
    ['race, where the browser has no locks', false],
  ])('is renewed in two tabs that %s', async (_, hasLocks) => {
    const { page } = await visit('/account');
    if (!hasLocks)
      await page.context().addInitScript(() => {
        Object.defineProperty(navigator, 'locks', { value: undefined });
      });
    await page.reload();
    await signIn(page, await person());
    await signedIn(page);
    const second = await anotherTab(page);
    await signedIn(second);
    const statuses = renewals(page.context());
    await Promise.all([page, second].map((tab) => passTime(tab)));
    await Promise.all([page, second].map((tab) => comeBack(tab)));
    await expect.poll(() => statuses.length).toBeGreaterThan(0);
    await Promise.all([page, second].map((tab) => tab.reload()));
    await Promise.all([page, second].map((tab) => shown(frame(tab))));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});

describe('the end of a session', () => {
  it('by signing out in one tab applies to every tab', async () => {
    const { page } = await visit('/account');
    await signIn(page);
    await signedIn(page);
    const second = await anotherTab(page);
    await signedIn(second);
    await signOut(page);
    await second.getByText('You are signed out.').waitFor();
    for (const tab of [page, second]) {
      await tab.reload();
      await tab.getByRole('button', { name: 'Sign in' }).waitFor();
    }
    await expect.poll(() => cookiesOf(page)).toEqual(['__Host-device']);
  });

  it('by signing out also reaches the service if the tab is closed at once', async () => {
    const who = await person();
    const { page } = await visit('/account');
    await signIn(page, who);
    await signedIn(page);
    const before = await sessionsOf(who);
    const other = await anotherTab(page, '/sign-in');
    await signedIn(other);
    await signOut(page);
    await page.close();
    await expect.poll(() => sessionsOf(who)).toBe(before - 1);
    await expect.poll(() => cookiesOf(other)).toEqual(['__Host-device']);
  });

  it('does not affect the next sign-in, in any tab', async () => {
    const { page } = await visit('/account');
    await signIn(page);
    await signedIn(page);
    const second = await anotherTab(page);
    await signedIn(second);
    await signOut(page);
    await signIn(page);
    await Promise.all([page, second].map((tab) => signedIn(tab)));
    await Promise.all([page, second].map((tab) => tab.reload()));
    await Promise.all([page, second].map((tab) => shown(frame(tab))));
  });

  it('by signing out holds although the service is away', async () => {
    const { page, expectedConsoleErrors } = await visit('/account');
    expectedConsoleErrors.add('ERR_FAILED');
    await signIn(page, await person());
    await signedIn(page);
    await page.route('**/v1/auth/browser-session', (route) => route.abort());
    await signOut(page);
    await page.reload();
    await shown(page.getByRole('button', { name: 'Sign in' }));
  });

  it('everywhere applies to every device', async () => {
    const who = await person();
    const { page: elsewhere, expectedConsoleErrors } = await visit('/account');
    expectedConsoleErrors.add(401);
    await signIn(elsewhere, who);
    await signedIn(elsewhere);
    const { page } = await visit('/account', PHONE);
    await signIn(page, who);
    await signedIn(page);
    await signOut(page, { everywhere: true });
    await elsewhere.reload();
    await shown(elsewhere.getByText(ENDED));
  });

  it('everywhere is not claimed if the service did not answer', async () => {
    const { page, expectedConsoleErrors } = await visit('/account');
    expectedConsoleErrors.add('ERR_FAILED');
    await signIn(page, await person());
    await signedIn(page);
    await page.route('**/v1/auth/browser-session?*', (route) => route.abort());
    await page.getByRole('button', { name: /^Your menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out everywhere…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await shown(page.getByRole('dialog').getByRole('alert').getByText('cannot be reached'));
  });

  it('on another device is noticed during work, and reported', async () => {
    const who = await person();
    const { page, expectedConsoleErrors } = await visit('/account');
    expectedConsoleErrors.add(401);
    await signIn(page, who);
    await signedIn(page);
    await endFromElsewhere(who);
    await page.reload();
    await page.getByText(ENDED).waitFor();
    expect(await cookiesOf(page)).toEqual(['__Host-device']);
    await signIn(page, who);
    await signedIn(page);
  });

  it('is the beginning of another in every tab, if another person signs in', async () => {
    const [ana, bruno] = [await person('analyst', 'Ana Souza'), await person('viewer', 'Bruno Lima')];
    const { page } = await visit('/account');
    await signIn(page, ana);
    await signedIn(page);
    const second = await anotherTab(page);
    await second.getByRole('button', { name: 'Your menu, Ana Souza' }).waitFor();
    // Simulates tabs that did not hear of each other: the proof is gone, but the sign-in exists.
    await page.evaluate(() => localStorage.removeItem('session.csrfToken'));
    await page.reload();
    await signIn(page, bruno);
    await second.getByRole('button', { name: 'Your menu, Bruno Lima' }).waitFor();
    expect(await second.getByText('Ana Souza').count()).toBe(0);
  });
});
