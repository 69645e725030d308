/** Browser tests of the settings page when two people change it, by role, and by keyboard or phone. */
import { describe, expect, it } from 'vitest';
import { PHONE, useChromium } from './support/chromium.ts';
import { demo } from './support/service.ts';
import { person } from './support/people.ts';
import { complaint, openSettings, save, saved, section } from './support/settings-page.ts';
import { examineStates } from './support/states.ts';

const visit = useChromium();

describe('a change that another person saved first', () => {
  it('is not overwritten: the page shows the other person’s changes, preserves the input, and saves it on a second request', async () => {
    const { page, expectedConsoleErrors } = await visit('/settings', { as: demo });
    expectedConsoleErrors.add(412);
    await openSettings(page);
    const { page: other } = await visit('/settings');
    await openSettings(other, await person('admin', 'Faster Fabi'));
    const [mine, theirs] = [await section(page, 'Beneficial owners'), await section(other, 'Beneficial owners')];
    await theirs.getByLabel('Share, in percent').first().fill('20');
    await save(theirs);
    await saved(other, 'Beneficial owners');

    await mine.getByLabel('Share, in percent').first().fill('15');
    await mine.getByLabel('Counted').selectOption('gt');
    await save(mine);
    const notice = mine.getByRole('alert').filter({ hasText: 'Not saved yet' });
    await notice.getByText('Faster Fabi changed the settings').waitFor();
    expect(await notice.textContent()).toContain('Share, in percent: 25 → 20. You entered: 15');
    expect(await mine.getByLabel('Counted').inputValue()).toBe('gt');
    await save(mine);
    await saved(page, 'Beneficial owners');
    expect(await notice.count()).toBe(0);

    await mine.getByLabel('Share, in percent').first().fill('25');
    await mine.getByLabel('Counted').selectOption('gte');
    await save(mine);
    await saved(page, 'Beneficial owners');
  });

  it('is shown in its own section, if it was another section', async () => {
    const { page, expectedConsoleErrors } = await visit('/settings', { as: demo });
    expectedConsoleErrors.add(412);
    await openSettings(page);
    const { page: other } = await visit('/settings');
    await openSettings(other, await person('admin', 'Elsewhere Elsa'));
    const theirs = await section(other, 'Branding');
    await theirs.getByLabel('Name that applicants see').fill(`Banco ${Date.now()}`);
    await save(theirs);
    await saved(other, 'Branding');
    const screening = await section(page, 'Screening');
    await screening.getByLabel('Sanctions: people, Strong from').fill('0.95');
    await save(screening);
    await screening.getByText('Changed: Branding.').waitFor();
    const branding = await section(page, 'Branding');
    await branding.getByText('Elsewhere Elsa changed the settings').waitFor();
    expect(await branding.getByLabel('Name that applicants see').inputValue()).toMatch(/^Banco \d+$/);
    expect(await (await section(page, 'Screening')).getByLabel('Sanctions: people, Strong from').inputValue()).toBe(
      '0.95',
    );
  });
});

describe('roles', () => {
  it('lets a compliance officer change the policies, but not how people sign in or what applicants see', async () => {
    const { page } = await visit('/settings');
    await openSettings(page, await person('compliance_officer', 'Officer Olga'));
    const editable = [];
    for (const name of [
      'Branding',
      'Decision policy',
      'Beneficial owners',
      'Screening',
      'Retention',
      'Sign-in',
      'Queues',
      'Legal acts',
    ]) {
      if ((await (await section(page, name)).getByRole('button', { name: /^Save/ }).count()) > 0) editable.push(name);
    }
    expect(editable).toEqual([
      'Decision policy',
      'Beneficial owners',
      'Screening',
      'Retention',
      'Queues',
      'Legal acts',
    ]);
    await save(await section(page, 'Retention'));
    await saved(page, 'Retention');
  });

  it('shows the present values to everybody else, without a form', async () => {
    const { page } = await visit('/settings');
    await openSettings(page, await person('auditor', 'Reading Rui'));
    expect(await page.getByRole('button', { name: /^Save/, includeHidden: true }).count()).toBe(0);
    expect(await page.locator('main :is(input, select, textarea)').count()).toBe(0);
    await (await section(page, 'Retention')).getByText('Customers, years').waitFor();
    await (await section(page, 'Queues')).getByText('Critical (critical), 4 hours').waitFor();
  });
});

examineStates(visit, [
  {
    name: 'the branding',
    path: '/settings',
    as: () => demo,
    reach: openSettings,
  },
  {
    name: 'the decision policy with all its checks',
    path: '/settings',
    as: () => demo,
    reach: async (page) => {
      await openSettings(page);
      await (await section(page, 'Decision policy')).getByText('Checks that each level of diligence asks for').click();
    },
  },
  {
    name: 'a list of records',
    path: '/settings?section=queues',
    as: () => demo,
    reach: openSettings,
  },
  {
    name: 'what a reader sees of them',
    path: '/settings?section=decisionPolicy',
    reach: async (page) => openSettings(page, await person('viewer', 'Vera Nunes')),
  },
  {
    name: 'a warning and a refusal',
    path: '/settings',
    as: () => demo,
    refusals: [422],
    reach: async (page) => {
      await openSettings(page);
      const retention = await section(page, 'Retention');
      await retention.getByLabel('Audit log, years').fill('2');
      await save(retention);
      await complaint(retention, 'Audit log, years', /at least 10/);
    },
  },
]);

it('is usable by keyboard alone', async () => {
  const { page } = await visit('/settings', { as: demo });
  await openSettings(page);
  await page.getByRole('link', { name: 'Retention' }).focus();
  await page.keyboard.press('Enter');
  const field = (await section(page, 'Retention')).getByLabel('Selfies and videos, days');
  await field.focus();
  await page.keyboard.press('ArrowUp');
  await page.getByText('This protects less than before.').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await field.inputValue()).toBe('90');
});

it('fits a phone from the start', async () => {
  const { page } = await visit('/settings', { ...PHONE, as: demo });
  await openSettings(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});
