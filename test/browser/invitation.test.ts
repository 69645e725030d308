import { describe, expect, it } from 'vitest';
import { useChromium } from './support/chromium.ts';
import { GOOD_PASSWORD, invited } from './support/people.ts';
import { signedIn } from './support/sign-in.ts';
import { examineStates } from './support/states.ts';

const visit = useChromium();

describe('an invitation', () => {
  it('is accepted with a name and a password, and leads to the onboarding', async () => {
    const { link } = await invited('analyst');
    const { page } = await visit(link);
    await page.getByLabel('Your name').fill('Bruno Lima');
    await page.getByLabel('Password', { exact: true }).fill(GOOD_PASSWORD);
    await page.getByRole('button', { name: 'Join' }).click();
    await signedIn(page);
    await page.locator('.signed-in').getByText('Bruno Lima, analyst').waitFor();
    expect(new URL(page.url()).pathname).toBe('/onboarding');
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

  it('counts the letters of the password, and repeats what the service has against it', async () => {
    const { email, link } = await invited();
    const { page, expected } = await visit(link);
    expected.add(422);
    await page.getByLabel('Your name').fill('Bruno Lima');
    const password = page.getByLabel('Password', { exact: true });
    await password.fill('short');
    await page.getByText('5 of 15 characters').waitFor();
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByText('Too short').waitFor();
    await password.fill(`${email.split('@')[0]} and some more`);
    expect(await page.getByText('Too short').count()).toBe(0);
    await page.getByText('long enough').waitFor();
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByText('Contains a part of your e-mail').waitFor();
  });

  it('that is not valid says so', async () => {
    const { page, expected } = await visit('/invitation#token=inv_unknown');
    expected.add(400);
    await page.getByLabel('Your name').fill('Bruno Lima');
    await page.getByLabel('Password', { exact: true }).fill(GOOD_PASSWORD);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('alert').getByText(/invitation/i).waitFor();
  });
});

examineStates(visit, [
  { name: 'a password that is refused', path: '/invitation#token=inv_unknown', refusals: [400, 422], reach: async (page) => {
    await page.getByLabel('Your name').fill('Bruno Lima');
    await page.getByLabel('Password', { exact: true }).fill('short');
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('alert').getByText(/\w/).waitFor();
  } },
]);
