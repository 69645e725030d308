/** Browser tests of the list of team members. */
import { describe, expect, it } from 'vitest';
import { useChromium } from './support/chromium.ts';
import { demo } from './support/service.ts';
import { person } from './support/people.ts';
import { arrive, signIn, signOut } from './support/sign-in.ts';
import { find, openTeam, people, rowOf } from './support/team-page.ts';

const visit = useChromium();

describe('the list', () => {
  it('is a table whose filters are in the address', async () => {
    const { page } = await visit('/team?status=invited&role=viewer', { as: demo });
    await arrive(page);
    await page.getByLabel('Status').waitFor();
    expect(await page.getByLabel('Status').inputValue()).toBe('invited');
    await page.getByLabel('Status').selectOption('Active');
    await expect
      .poll(() => [...new URL(page.url()).searchParams].toSorted())
      .toEqual([
        ['role', 'viewer'],
        ['status', 'active'],
      ]);
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await people(page).first().waitFor();
    expect(await page.getByRole('columnheader').allTextContents()).toEqual([
      'Person',
      'Role',
      'Status',
      'Second factor',
      'Last sign-in',
      'Actions',
    ]);
    expect(new URL(page.url()).search).toBe('');
  });

  it('is usable with the keyboard alone', async () => {
    const who = await person('analyst', 'Typed Only');
    const { page } = await visit('/team', { as: demo });
    await openTeam(page, who.email);
    await rowOf(page, who.name).getByRole('button').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Change the role…' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: `Role of ${who.name}` }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect
      .poll(() =>
        rowOf(page, who.name)
          .getByRole('button')
          .evaluate((button) => button === document.activeElement),
      )
      .toBe(true);
  });

  it('finds people by name, role and status', async () => {
    const who = await person('auditor', 'Findable Fernanda');
    const { page } = await visit('/team', { as: demo });
    await openTeam(page);
    await page.getByLabel('Name or e-mail').fill('findable');
    await rowOf(page, who.name).waitFor();
    await expect.poll(() => people(page).count()).toBe(1);
    await page.getByLabel('Role').selectOption('Developer');
    await page.getByText('Nobody fits').waitFor();
    await page.getByLabel('Role').selectOption('Auditor');
    await rowOf(page, who.name).waitFor();
    await page.getByLabel('Status').selectOption('Locked');
    await page.getByText('Nobody fits').waitFor();
  });

  it('offers an auditor no actions, and no user actions on their own account', async () => {
    const who = await person('auditor', 'Reading Rita');
    const { page } = await visit('/team');
    await signIn(page, who);
    await find(page, who.email);
    expect(await page.getByRole('button', { name: 'Invite somebody' }).count()).toBe(0);
    expect(await page.getByRole('table').getByRole('button').count()).toBe(0);
    const admin = await person('admin', 'Admin Alice');
    await signOut(page);
    await signIn(page, admin);
    await find(page, admin.email);
    await rowOf(page, admin.name)
      .getByRole('button', { name: `Actions for ${admin.name}` })
      .click();
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Sessions…']);
  });
});
