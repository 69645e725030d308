/** Browser tests of signing in and out. */
import { describe, expect, it } from 'vitest';
import { PHONE, useChromium } from './support/chromium.ts';
import { person, protectedPerson } from './support/people.ts';
import { demo } from './support/service.ts';
import { shown } from './support/shown.ts';
import { frame, signedIn, signIn, signInWithCode, signInWithRecoveryCode, signOut } from './support/sign-in.ts';
import { examineStates } from './support/states.ts';

const visit = useChromium();

describe('the sign-in', () => {
  it('requests missing input, says nothing twice, and moves the focus to the first empty field', async () => {
    const { page } = await visit('/sign-in');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Enter your e-mail address.').waitFor();
    await page.getByText('Enter your password.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByText(/too short|the body/i).count()).toBe(0);
    await expect
      .poll(() => page.getByLabel('E-mail', { exact: true }).evaluate((field) => field === document.activeElement))
      .toBe(true);
  });

  it('is done with the keyboard alone, on a phone too', async () => {
    const { page } = await visit('/sign-in', PHONE);
    await page.getByLabel('E-mail', { exact: true }).focus();
    await page.keyboard.type(demo.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(demo.password);
    await page.keyboard.press('Enter');
    await shown(frame(page));
  });

  it('says once that e-mail or password are wrong', async () => {
    const { page, expectedConsoleErrors } = await visit('/sign-in');
    expectedConsoleErrors.add(401);
    await signIn(page, { email: (await person()).email, password: 'not the password' });
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
  });

  it('links the mail of a demo', async () => {
    const { page } = await visit('/sign-in');
    expect(await page.getByRole('link', { name: 'Mail of the demo' }).getAttribute('href')).toMatch(/\/outbox$/);
  });

  it('speaks Portuguese with browsers that do', async () => {
    const { page } = await visit('/sign-in', { locale: 'pt-BR' });
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.getByText('Digite sua senha.').waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('pt-BR');
  });
});

describe('a second factor', () => {
  it('is requested after the password, and its code signs in', async () => {
    const { page, expectedConsoleErrors } = await visit('/account');
    expectedConsoleErrors.add(401);
    await signInWithCode(page, await protectedPerson());
    await shown(frame(page));
  });

  it('says that a code is wrong, beside the field, and accepts another', async () => {
    const { page, expectedConsoleErrors } = await visit('/account');
    expectedConsoleErrors.add(401);
    const who = await protectedPerson();
    await signIn(page, who);
    const code = page.getByLabel('Code of your authenticator');
    await code.fill('000000');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Wrong, or used before').waitFor();
    await expect
      .poll(() =>
        code.evaluate((field) => field === document.activeElement && field.getAttribute('aria-invalid') === 'true'),
      )
      .toBe(true);
    await code.fill(await who.authenticator.next());
    await page.getByRole('button', { name: 'Sign in' }).click();
    await signedIn(page);
  });

  it('can be replaced by a recovery code, once', async () => {
    const { page, expectedConsoleErrors } = await visit('/account');
    expectedConsoleErrors.add(401);
    const who = await protectedPerson();
    const [recoveryCode = ''] = who.recoveryCodes;
    await signInWithRecoveryCode(page, who, recoveryCode);
    await signOut(page);
    await signIn(page, who);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(recoveryCode);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await shown(page.getByText('Wrong, or used before.'));
  });
});

describe('an account that is locked', () => {
  it('says until when', async () => {
    const { page, expectedConsoleErrors } = await visit('/sign-in');
    expectedConsoleErrors.add(401).add(423);
    const { email } = await person();
    for (let attempt = 0; attempt < 12; attempt++) {
      const answered = page.waitForResponse('**/v1/auth/browser-session');
      await signIn(page, { email, password: 'not the password' });
      if ((await answered).status() === 423) break;
    }
    await shown(page.getByRole('alert').getByText(/Try again at \d\d:\d\d, in \d+ minutes/));
  });
});

describe('the session', () => {
  it('reaches every page of the role without another sign-in, also back and forward', async () => {
    const { page } = await visit('/team');
    await signIn(page);
    const pages = page.getByRole('navigation', { name: 'Dashboard' });
    for (const name of ['Account', 'Team']) {
      await pages.getByRole('link', { name }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await expect.poll(() => page.title()).toBe(`${name} · Compliance Onboarding`);
      expect(await pages.getByRole('link', { name }).getAttribute('aria-current')).toBe('page');
    }
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    await page.goForward();
    await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
  });

  it('shows the user, the tenant and the role', async () => {
    const { page } = await visit('/account');
    await signIn(page, await person('developer', 'Davi Rocha'));
    await shown(page.getByRole('banner').getByText(demo.tenant.name));
    await page.getByRole('button', { name: 'Your menu, Davi Rocha' }).click();
    await shown(page.getByRole('menu').getByText('Developer'));
  });

  it('says that the password should be replaced, if the service does', async () => {
    const { page } = await visit('/team');
    await page.route('**/v1/auth/browser-session', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        json: { ...((await answer.json()) as object), passwordChangeRequired: true },
      });
    });
    await signIn(page);
    await shown(page.getByText('does not meet the rules any more'));
    await page.getByRole('link', { name: 'Choose another' }).click();
    await shown(page.getByRole('heading', { level: 1, name: 'Account' }));
  });

  it('offers only the pages of the role, and says so on another', async () => {
    const { page } = await visit('/keys');
    await signIn(page, await person('viewer'));
    await page.getByText('Your role, Viewer, does not include this page').waitFor();
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    const links = await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link').allTextContents();
    expect(links).not.toContain('API keys');
    expect(links).not.toContain('Team');
    expect(links).toContain('Account');
  });
});

examineStates(visit, [
  {
    name: 'the sign-in with empty fields',
    path: '/sign-in',
    reach: async (page) => {
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Enter your password.').waitFor();
    },
  },
  {
    name: 'the question for a code',
    path: '/sign-in',
    refusals: [401],
    reach: async (page) => {
      await signIn(page, await protectedPerson());
      await page.getByLabel('Code of your authenticator').waitFor();
    },
  },
]);
