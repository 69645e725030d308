import { describe, expect, it } from 'vitest';
import { useChromium } from './support/chromium.ts';
import { person, protectedPerson } from './support/people.ts';
import { demo } from './support/service.ts';
import { signedIn, signIn, signInWithCode, signInWithRecoveryCode } from './support/sign-in.ts';
import { examineStates } from './support/states.ts';

const visit = useChromium();

describe('a second factor', () => {
  it('is asked for after the password, and its code signs in', async () => {
    const { page, expected } = await visit('/account');
    expected.add(401);
    await signInWithCode(page, await protectedPerson());
    await page.getByRole('region', { name: 'Second factor' }).getByText('On', { exact: true }).waitFor();
  });

  it('says that a code is wrong, beside the field, and lets one try another', async () => {
    const { page, expected } = await visit('/account');
    expected.add(401);
    const who = await protectedPerson();
    await signIn(page, who);
    const code = page.getByLabel('Code of your authenticator');
    await code.fill('000000');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Wrong, or used before').waitFor();
    expect(await code.evaluate((field) => field === document.activeElement && field.getAttribute('aria-invalid') === 'true')).toBe(true);
    await code.fill(await who.authenticator.next());
    await page.getByRole('button', { name: 'Sign in' }).click();
    await signedIn(page);
  });

  it('can be replaced by a recovery code, once', async () => {
    const { page, expected } = await visit('/account');
    expected.add(401);
    const who = await protectedPerson();
    const [recoveryCode = ''] = who.recoveryCodes;
    await signInWithRecoveryCode(page, who, recoveryCode);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signIn(page, who);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(recoveryCode);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Wrong, or used before.').waitFor();
  });
});

describe('an account that is locked', () => {
  it('says until when', async () => {
    const { page, expected } = await visit('/sign-in');
    expected.add(401).add(423);
    const { email } = await person();
    for (let attempt = 0; attempt < 12; attempt++) {
      const answered = page.waitForResponse('**/v1/auth/login');
      await signIn(page, { email, password: 'not the password' });
      if ((await answered).status() === 423) break;
    }
    await page.getByRole('alert').getByText(/Try again at \d\d:\d\d, in \d+ minutes/).waitFor();
  });
});

describe('the session', () => {
  it('reaches every page of the role without another sign-in, also back and forward', async () => {
    const { page } = await visit('/keys');
    await signIn(page);
    const pages = page.getByRole('navigation', { name: 'Dashboard' });
    for (const name of ['Onboarding', 'Team', 'Audit log', 'Sandbox', 'Account', 'API keys']) {
      await pages.getByRole('link', { name }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      expect(await page.title()).toBe(`${name} · Compliance Onboarding API`);
      expect(await pages.getByRole('link', { name }).getAttribute('aria-current')).toBe('page');
    }
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    await page.goForward();
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    await signedIn(page);
  });

  it('shows who is signed in, where, and as what', async () => {
    const { page } = await visit('/account');
    await signIn(page, await person('developer', 'Davi Rocha'));
    const bar = page.locator('.signed-in');
    await bar.getByText('Davi Rocha, developer').waitFor();
    await bar.getByText(demo.tenant.name).waitFor();
  });

  it('says that the password should be replaced, when the service does', async () => {
    const { page } = await visit('/team');
    await page.route('**/v1/auth/login', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()) as object, passwordChangeRequired: true } });
    });
    await signIn(page);
    await page.getByText('Choose another under').getByRole('link', { name: 'Account' }).click();
    await page.getByRole('region', { name: 'Password', exact: true }).getByText('does not meet the rules').waitFor();
  });

  it('offers only the pages of the role, and says so on another', async () => {
    const { page } = await visit('/keys');
    await signIn(page, await person('viewer'));
    await page.getByText('Your role, viewer, does not include this page').waitFor();
    expect(await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link').allTextContents()).toEqual(['Onboarding', 'Funds recovery', 'Sandbox', 'Settings', 'Account']);
  });

  it('opens other documents beside it, because leaving it would sign out', async () => {
    const { page } = await visit('/account');
    await signIn(page);
    await signedIn(page);
    expect(await page.getByRole('link', { name: 'Reference' }).getAttribute('target')).toBe('_blank');
    await page.getByRole('button', { name: 'Sign out' }).click();
    expect(await page.getByRole('link', { name: 'Reference' }).getAttribute('target')).toBeNull();
  });
});

examineStates(visit, [
  { name: 'the question for a code', path: '/sign-in', refusals: [401], reach: async (page) => {
    await signIn(page, await protectedPerson());
    await page.getByLabel('Code of your authenticator').waitFor();
  } },
]);
