import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useChromium } from './support/chromium.ts';
import { person, protectedPerson } from './support/people.ts';
import { signIn, signInWithCode } from './support/sign-in.ts';
import { examineStates } from './support/states.ts';

const visit = useChromium();

it('saves a section, and keeps what was saved', async () => {
  const { page } = await visit('/settings');
  await openSettings(page);
  const branding = page.getByRole('region', { name: 'Branding' });
  await branding.getByLabel('Name that applicants see').fill('Banco de Exemplo');
  await branding.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('status').getByText('Branding saved').waitFor();
  await page.getByText('Last changed').waitFor();
  expect(await page.getByRole('region', { name: 'Branding' }).getByLabel('Name that applicants see').inputValue()).toBe('Banco de Exemplo');
});

it('says beside the field what the law demands', async () => {
  const { page, expected } = await visit('/settings');
  expected.add(401).add(403).add(422);
  await signInWithCode(page, await protectedPerson('owner', 'Lawful Lara'));
  const retention = page.getByRole('region', { name: 'Retention' });
  const years = retention.getByLabel('Customers, years');
  await years.fill('1');
  await retention.getByRole('button', { name: 'Save' }).click();
  await retention.locator('.field', { hasText: 'Customers, years' }).locator('.field-error span').waitFor();
  expect(await years.getAttribute('aria-invalid')).toBe('true');
});

it('lets a compliance officer change the policies, but not how people sign in', async () => {
  const { page } = await visit('/settings');
  await signIn(page, await person('compliance_officer', 'Officer Olga'));
  await page.getByRole('region', { name: 'Decision policy' }).getByRole('button', { name: 'Save' }).waitFor();
  const security = page.getByRole('region', { name: 'Security' });
  expect(await security.getByRole('button', { name: 'Save' }).count()).toBe(0);
  expect(await security.getByLabel('Least length of passwords').isDisabled()).toBe(true);
});

it('does not overwrite what somebody else has saved meanwhile', async () => {
  const { page } = await visit('/settings');
  await openSettings(page);
  const { page: other, expected } = await visit('/settings');
  expected.add(412);
  await openSettings(other);
  for (const [who, where] of [['first', page], ['second', other]] as const) {
    const screening = where.getByRole('region', { name: 'Screening' });
    await screening.getByRole('button', { name: 'Save' }).click();
    if (who === 'first') await where.getByRole('status').getByText('Screening saved').waitFor();
  }
  await other.getByRole('alert').getByText('The resource has changed').waitFor();
});

examineStates(visit, [{ name: 'the settings', path: '/settings', reach: openSettings }]);

async function openSettings(page: Page): Promise<void> {
  await signIn(page);
  await page.getByRole('region', { name: 'Branding' }).waitFor();
}
