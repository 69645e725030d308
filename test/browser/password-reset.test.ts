/** Browser tests of resetting a forgotten password. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useChromium } from './support/chromium.ts';
import { linkTo } from './support/outbox.ts';
import { person, protectedPerson } from './support/people.ts';
import { ledTo, shown } from './support/shown.ts';
import { signedIn, signIn } from './support/sign-in.ts';
import { examineStates } from './support/states.ts';

const visit = useChromium();
const CHOSEN = 'nine green boats under rain';

describe('a forgotten password', () => {
  it('is replaced through the link in the mail, and signs in', async () => {
    const who = await person();
    const { page } = await visit('/sign-in');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await ask(page, who.email);
    await page.getByText('works once, for 30 minutes').waitFor();
    await page.goto(await linkTo(who.email, '/reset'));
    await choose(page, CHOSEN);
    await page.getByText('The password is set').waitFor();
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    await signIn(page, { email: who.email, password: CHOSEN });
    await signedIn(page);
  });

  it('requires the second factor of people who have one', async () => {
    const who = await protectedPerson();
    const { page, expectedConsoleErrors } = await visit('/forgot');
    expectedConsoleErrors.add(401);
    await ask(page, who.email);
    await page.goto(await linkTo(who.email, '/reset'));
    await choose(page, CHOSEN);
    await page.getByLabel('Code of your authenticator').fill(await who.authenticator.next());
    await page.getByRole('button', { name: 'Set the password' }).click();
    await shown(page.getByText('The password is set'));
  });

  it('gives the same answer for an address without an account', async () => {
    const { page } = await visit('/forgot');
    await ask(page, 'nobody-at-all@example.com');
    await shown(page.getByText('If somebody has this address'));
  });

  it('leaves the secret of its link neither in the address nor in the history', async () => {
    const { page } = await visit('/reset#token=pr_unknown');
    await page.getByRole('button', { name: 'Set the password' }).waitFor();
    expect(page.url()).not.toContain('#');
    await page.reload();
    await page.getByRole('heading', { name: 'Open the link again' }).waitFor();
    expect(
      await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])),
    ).not.toContain('pr_unknown');
  });

  it('requests missing input in words for people', async () => {
    const { page, expectedConsoleErrors } = await visit('/forgot');
    expectedConsoleErrors.add(422);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('Enter your e-mail address.').waitFor();
    await page.getByLabel('E-mail', { exact: true }).fill('x');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('This is not an e-mail address.').waitFor();
    expect(await page.getByText(/the body|at least 3/i).count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('links the outbox if no mail is delivered', async () => {
    const { page } = await visit('/forgot');
    await ask(page, 'nobody-at-all@example.com');
    await page.getByRole('link', { name: 'outbox' }).click();
    await ledTo(page, '**/outbox');
  });

  it('says that a link is no longer valid', async () => {
    const { page, expectedConsoleErrors } = await visit('/reset#token=pr_unknown');
    expectedConsoleErrors.add(400);
    await choose(page, CHOSEN);
    await shown(page.getByRole('alert').getByText(/link/i));
  });
});

examineStates(visit, [
  {
    name: 'the choice of a new password',
    path: '/reset#token=pr_unknown',
    reach: async (page) => {
      await page.getByLabel('New password', { exact: true }).fill('short');
      await page.getByText('5 of 15 characters').waitFor();
    },
  },
  {
    name: 'the word that a mail is on its way',
    path: '/forgot',
    reach: async (page) => {
      await ask(page, 'nobody-at-all@example.com');
      await page.getByText('If somebody has this address').waitFor();
    },
  },
]);

async function ask(page: Page, email: string): Promise<void> {
  await page.getByRole('heading', { name: 'Reset your password' }).waitFor();
  await page.getByLabel('E-mail', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByRole('heading', { name: 'Look into your mail' }).waitFor();
}

async function choose(page: Page, password: string): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Set the password' }).click();
}
