/** Browser tests of accepting an invitation. */
import { describe, expect, it } from 'vitest';
import { api, tokenOf } from './support/api.ts';
import { PHONE, useChromium } from './support/chromium.ts';
import { GOOD_PASSWORD, invited } from './support/people.ts';
import { demo } from './support/service.ts';
import { shown } from './support/shown.ts';
import { signedIn, signIn } from './support/sign-in.ts';
import { examineStates } from './support/states.ts';

const visit = useChromium();

describe('an invitation', () => {
  it('is accepted with a name and a password, which sign in for good, and leaves no unused session', async () => {
    const { link, email } = await invited('analyst');
    const { page } = await visit(link);
    await page.getByLabel('Your name').fill('Bruno Lima');
    await page.getByLabel('Password', { exact: true }).fill(GOOD_PASSWORD);
    await page.getByRole('button', { name: 'Join' }).click();
    await signedIn(page);
    await page.getByRole('button', { name: 'Your menu, Bruno Lima' }).waitFor();
    await page.reload();
    await signedIn(page);
    const token = await tokenOf({ email, password: GOOD_PASSWORD });
    const { user } = await api<{ user: { id: string } }>('GET', '/v1/auth/me', { token });
    const { items } = await api<{ items: unknown[] }>('GET', `/v1/users/${user.id}/sessions`, { token });
    expect(items).toHaveLength(2);
  });

  it('replaces the session of another person in this browser, and says so before', async () => {
    const { page } = await visit('/account');
    await signIn(page);
    await signedIn(page);
    await page.goto((await invited('analyst')).link);
    await shown(page.getByText('Joining signs them out here'));
    await page.getByLabel('Your name').fill('Nova Pessoa');
    await page.getByLabel('Password', { exact: true }).fill(GOOD_PASSWORD);
    await page.getByRole('button', { name: 'Join' }).click();
    await shown(page.getByRole('button', { name: 'Your menu, Nova Pessoa' }));
  });

  it('leaves its secret neither in the address nor in the history', async () => {
    const { link } = await invited();
    const { page } = await visit(link);
    await page.getByRole('button', { name: 'Join' }).waitFor();
    const secret = link.split('#token=')[1] ?? '';
    expect(page.url()).not.toContain('#');
    await page.reload();
    await page.getByRole('heading', { name: 'Open the link again' }).waitFor();
    expect(page.url()).not.toContain(secret);
  });

  it('counts the letters of the password, and repeats the objections of the service', async () => {
    const { email, link } = await invited();
    const { page, expectedConsoleErrors } = await visit(link);
    expectedConsoleErrors.add(422);
    await page.getByLabel('Your name').fill('Bruno Lima');
    const password = page.getByLabel('Password', { exact: true });
    await password.fill('short');
    await page.getByText('5 of 15 characters').waitFor();
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByText('Not long enough').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await password.fill(`${email.split('@')[0]} and some more`);
    expect(await page.getByText('Not long enough').count()).toBe(0);
    await page.getByText('long enough').waitFor();
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByText('Contains a part of your e-mail').waitFor();
  });

  it('names the tenant, the inviter, the role, and the address that signs in', async () => {
    const { email, link } = await invited('compliance_officer');
    const { page } = await visit(link, PHONE);
    await shown(page.getByRole('heading', { level: 1, name: `Join ${demo.tenant.name}` }));
    await shown(page.getByText(/invites you as Compliance officer/));
    await shown(page.getByText(email));
  });

  it('that is not valid says so before anything is typed', async () => {
    const { page, expectedConsoleErrors } = await visit('/sign-in');
    expectedConsoleErrors.add(400);
    await page.goto('/invitation#token=inv_unknown');
    await page.getByRole('heading', { name: 'This invitation cannot be accepted' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Join' }).count()).toBe(0);
  });
});

examineStates(visit, [
  {
    name: 'an invitation with empty fields',
    path: '/sign-in',
    reach: async (page) => {
      await page.goto((await invited()).link);
      await page.getByRole('button', { name: 'Join' }).click();
      await page.getByText('Enter your name.').waitFor();
      await page.getByText('Enter a password.').waitFor();
    },
  },
]);
