/** Browser tests of the account page: authenticator, password and sessions. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { api, tokenOf } from './support/api.ts';
import { Authenticator } from './support/authenticator.ts';
import { PHONE, useChromium } from './support/chromium.ts';
import { person, protectedPerson } from './support/people.ts';
import type { Person } from './support/people.ts';
import { shown } from './support/shown.ts';
import { signedIn, signIn, signInWithCode, signOut } from './support/sign-in.ts';
import { examineStates } from './support/states.ts';
import { announced } from './support/toast.ts';

const visit = useChromium();

describe('an authenticator', () => {
  it('is enrolled with its picture or its secret, gives recovery codes once, and is required from then on', async () => {
    const who = await person();
    const { page, expectedConsoleErrors } = await visit('/account', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    expectedConsoleErrors.add(401);
    await open(page, who);
    const { authenticator } = await scan(page, who);
    await page.getByLabel('First code').fill(await authenticator.next());
    await page.getByRole('button', { name: 'Confirm' }).click();

    const list = page.getByRole('list', { name: 'Recovery codes' });
    await list.waitFor();
    const codes = await list.getByRole('listitem').allTextContents();
    expect(new Set(codes).size).toBe(10);
    await page.getByRole('button', { name: 'Copy all codes' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect((await page.evaluate(() => navigator.clipboard.readText())).split('\n')).toEqual(codes);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    expect(await readFile(await (await saving).path(), 'utf8')).toBe(`${codes.join('\n')}\n`);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'I have stored them' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(codes[0]);

    await page.getByRole('region', { name: 'Second factor' }).getByText('On', { exact: true }).waitFor();
    await signOut(page);
    await signInWithCode(page, { ...who, authenticator, recoveryCodes: codes });
  });

  it('shows its picture as an image that runs nothing', async () => {
    const who = await person();
    const { page } = await visit('/account');
    await open(page, who);
    await scan(page, who);
    const picture = page.getByRole('img', { name: 'QR code of the secret' });
    expect(await picture.getAttribute('src')).toMatch(/^data:image\/svg\+xml,/);
    expect(await picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
  });

  it('is passed to the authenticator app by a link, on a phone', async () => {
    const who = await person();
    const { page } = await visit('/account', PHONE);
    await open(page, who);
    const { secret } = await scan(page, who);
    const href = await page.getByRole('link', { name: 'Open in the authenticator app' }).getAttribute('href');
    expect(href).toMatch(/^otpauth:\/\/totp\//);
    expect(new URL(href ?? '').searchParams.get('secret')).toBe(secret);
  });

  it('is not offered by a link on a desk, where the phone scans it', async () => {
    const who = await person();
    const { page } = await visit('/account');
    await open(page, who);
    await scan(page, who);
    expect(await page.getByRole('link', { name: 'Open in the authenticator app' }).isVisible()).toBe(false);
  });

  it('is not enrolled with a wrong password or a wrong code', async () => {
    const who = await person();
    const { page, expectedConsoleErrors } = await visit('/account');
    expectedConsoleErrors.add(403).add(422);
    await open(page, who);
    await page.getByRole('button', { name: 'Enrol an authenticator' }).click();
    await page.getByRole('dialog').getByLabel('Current password').fill('not the password');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The password is wrong').waitFor();
    await page.getByRole('dialog').getByLabel('Current password').fill(who.password);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('First code').fill('000000');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('dialog').getByText('Wrong code').waitFor();
    expect(await page.getByRole('dialog').getByRole('alert').count()).toBe(0);
  });

  it('is disabled with the password and a code', async () => {
    const who = await protectedPerson();
    const { page, expectedConsoleErrors } = await visit('/account');
    expectedConsoleErrors.add(401);
    await signInWithCode(page, who);
    await page.getByRole('button', { name: 'Disable it' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Current password').fill(who.password);
    await dialog.getByLabel('Code of your authenticator').fill(await who.authenticator.next());
    await dialog.getByRole('button', { name: 'Disable it' }).click();
    await shown(page.getByRole('region', { name: 'Second factor' }).getByText('Off', { exact: true }));
  });
});

describe('the password', () => {
  it('is changed, and every other session ends', async () => {
    const who = await person();
    const { page, expectedConsoleErrors } = await visit('/account');
    expectedConsoleErrors.add(403);
    await open(page, who);
    await change(page, 'not the password', 'nine green boats under rain');
    await page.getByText('The password is wrong').waitFor();
    await change(page, who.password, 'nine green boats under rain');
    await announced(page, 'The password is changed');
    const sessions = page.getByRole('region', { name: 'Where you are signed in' });
    // The list is reloaded after the change is announced.
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1);
    await sessions.getByText('This one').waitFor();
    await tokenOf({ email: who.email, password: 'nine green boats under rain' });
  });

  it('is not the previous one', async () => {
    const who = await person();
    const { page, expectedConsoleErrors } = await visit('/account');
    expectedConsoleErrors.add(422);
    await open(page, who);
    await change(page, who.password, who.password);
    await shown(page.getByText('One of your last five passwords'));
  });
});

describe('the sessions', () => {
  it('that were opened elsewhere are ended one by one', async () => {
    const who = await person();
    const { page } = await visit('/account');
    await open(page, who);
    const sessions = page.getByRole('region', { name: 'Where you are signed in' });
    await sessions.getByRole('listitem').nth(1).waitFor();
    await sessions
      .getByRole('button', { name: /^End the session/ })
      .first()
      .click();
    await announced(page, 'Session ended');
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1);
    await expect(api('GET', '/v1/auth/me', { token: who.token })).rejects.toThrow('401');
  });

  it('are all ended except this one, after a question', async () => {
    const who = await person();
    await tokenOf(who);
    const { page } = await visit('/account', PHONE);
    await open(page, who);
    const sessions = page.getByRole('region', { name: 'Where you are signed in' });
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(3);
    await sessions.getByRole('button', { name: 'End all others' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click();
    await announced(page, 'Your other sessions have ended');
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1);
    await expect(api('GET', '/v1/auth/me', { token: who.token })).rejects.toThrow('401');
    await page.reload();
    await signedIn(page);
  });
});

examineStates(visit, [
  { name: 'the account', path: '/account', reach: async (page) => open(page, await person()) },
  {
    name: 'the secret of an authenticator',
    path: '/account',
    reach: async (page) => {
      const who = await person();
      await open(page, who);
      await scan(page, who);
    },
  },
  {
    name: 'the recovery codes',
    path: '/account',
    reach: async (page) => {
      const who = await person();
      await open(page, who);
      await page.getByLabel('First code').fill(await (await scan(page, who)).authenticator.next());
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
    },
  },
]);

async function open(page: Page, who: Person): Promise<void> {
  await signIn(page, who);
  await signedIn(page);
  await page.getByText('This one').waitFor();
}

interface Scanned {
  readonly secret: string;
  readonly authenticator: Authenticator;
}

/** Enrols up to the secret, and puts the secret into an authenticator. */
async function scan(page: Page, who: Person): Promise<Scanned> {
  await page.getByRole('button', { name: 'Enrol an authenticator' }).click();
  await page.getByRole('dialog').getByLabel('Current password').fill(who.password);
  await page.getByRole('button', { name: 'Continue' }).click();
  const secret = (await page.getByRole('dialog').locator('.secret').textContent()) ?? '';
  return { secret, authenticator: new Authenticator(secret) };
}

async function change(page: Page, from: string, to: string): Promise<void> {
  const card = page.getByRole('region', { name: 'Password', exact: true });
  await card.getByLabel('Current password').fill(from);
  await card.getByLabel('New password', { exact: true }).fill(to);
  await card.getByRole('button', { name: 'Change the password' }).click();
}
