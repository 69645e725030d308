/** Browser tests of the search in the audit log and of the page of an event. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openAudit, proveOldest } from './support/audit.ts';
import { callWith } from './support/call.ts';
import { useChromium } from './support/chromium.ts';
import { person } from './support/people.ts';
import { demo } from './support/service.ts';
import { gone, shown } from './support/shown.ts';
import { arrive } from './support/sign-in.ts';
import { examineStates } from './support/states.ts';

const visit = useChromium();

describe('the search', () => {
  it('finds events by action, outcome and actor, and preserves the search in the address', async () => {
    const who = await person('auditor', 'Searching Sonia');
    const { page } = await visit('/audit', { as: demo });
    await openAudit(page);
    await page.getByLabel('What happened').selectOption('Invitation accepted');
    await row(page, 'Invitation accepted').getByText(who.name).first().waitFor();
    await page.getByLabel('Outcome').selectOption('Refused');
    await page.getByText('Nothing fits').waitFor();
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByLabel('Outcome').selectOption('All, also refused');
    await page.getByLabel('Who', { exact: true }).fill(who.id);
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await expect
      .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
      .toEqual({ action: 'auth.invitation.accepted', actorId: who.id });
    await page.reload();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    expect(await page.getByLabel('Who', { exact: true }).inputValue()).toBe(who.id);
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await expect.poll(() => page.locator('tbody tr').count()).toBeGreaterThan(1);
  });

  it('finds all actions of a group', async () => {
    await person('viewer', 'Grouped Gustavo');
    const { page } = await visit('/audit?action=user.*', { as: demo });
    await openAudit(page);
    expect(await page.getByLabel('What happened').locator('option:checked').textContent()).toBe('Team: all');
    await row(page, 'Member invited').waitFor();
  });

  it('finds events of a day, and says how far a search by days reaches if only one end is given', async () => {
    const { page } = await visit('/audit', { as: demo });
    await openAudit(page);
    await page.getByLabel('From', { exact: true }).fill('2020-01-01');
    await shown(page.getByText('shown is 1 Jan 2020 to 31 Mar 2020'));
    await page.getByLabel('To', { exact: true }).fill('2020-01-02');
    await shown(page.getByText('Nothing fits'));
    await gone(page.getByText('A search by days alone reaches three months'));
  });

  it('hides no refusals by itself, and says so if a filter does', async () => {
    expect(await callWith(demo.testKey)).toBe(403);
    const { page } = await visit('/audit', { as: demo });
    await openAudit(page);
    await row(page, 'Call refused').getByText('sandbox disabled').waitFor();
    await page.getByLabel('Outcome').selectOption('Success');
    await page.getByText('refused and failed events are left out').waitFor();
    await page.getByLabel('Outcome').selectOption('Refused');
    await page.getByText('Only what was refused is shown.').waitFor();
    await row(page, 'Call refused').getByText('sandbox disabled').waitFor();
  });

  it('says before going live why numbers are missing, and offers no invisible environment', async () => {
    const { page } = await visit('/audit');
    await page.route('**/v1/audit/events?*', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        json: { ...((await answer.json()) as object), environments: ['sandbox'] },
      });
    });
    await arrive(page);
    await page.getByText(/the numbers that are missing in between are of live events/).waitFor();
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByLabel('Order').waitFor();
    expect(await page.getByLabel('Environment').count()).toBe(0);
  });
});

describe('an event', () => {
  it('is described in words and with names, and the ids are in its details', async () => {
    const who = await person('viewer', 'Changing Chico');
    const { page } = await visit('/audit', { as: demo });
    await openAudit(page);
    const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-/;
    expect(await page.getByRole('table').innerText()).not.toMatch(uuid);
    await row(page, 'Invitation accepted').getByText(who.name).first().waitFor();
    await openEvent(page, 'Invitation accepted');
    const dialog = page.getByRole('dialog', { name: 'Invitation accepted' });
    await dialog.getByText(`${who.name} (Member)`).first().waitFor();
    await dialog.getByText('auth.invitation.accepted').waitFor();
    await dialog.getByText(who.id).first().waitFor();
    await dialog.getByText('Hash before').waitFor();
  });

  it('shows what changed, has an address of its own, and leads to all events of its actor', async () => {
    await person('viewer', 'Changing Clara');
    const { page } = await visit('/audit', { as: demo });
    await openAudit(page);
    await openEvent(page, 'Member invited');
    const dialog = page.getByRole('dialog', { name: 'Member invited' });
    await dialog.getByText('"viewer"').waitFor();
    await page.goto(`${page.url()}&outcome=failed`);
    await dialog.getByText('"viewer"').waitFor();
    await dialog.getByRole('link', { name: 'All that they did' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row(page, 'Member invited').waitFor();
    expect(new URL(page.url()).searchParams.has('outcome')).toBe(false);
  });

  it('is opened and closed by the keyboard, and the focus stays', async () => {
    const { page } = await visit('/audit', { as: demo });
    await openAudit(page);
    const link = page.getByRole('table').getByRole('link').first();
    await link.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => link.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});

examineStates(visit, [
  {
    name: 'the audit log',
    path: '/audit',
    as: () => demo,
    reach: async (page) => {
      await openAudit(page);
      await page.getByRole('button', { name: 'More filters' }).click();
    },
  },
  {
    name: 'a search that finds nothing',
    path: '/audit?outcome=failed&resourceId=nothing',
    as: () => demo,
    reach: async (page) => {
      await arrive(page);
      await page.getByText('Nothing fits').waitFor();
    },
  },
  {
    name: 'an event with its proof',
    path: '/audit',
    as: () => demo,
    refusals: [409],
    reach: async (page) => {
      await openAudit(page);
      await proveOldest(page);
      await page.getByText('The proof holds.').waitFor();
    },
  },
]);

function row(page: Page, action: string) {
  return page
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: action, exact: true }) })
    .first();
}

async function openEvent(page: Page, action: string): Promise<void> {
  await row(page, action).getByRole('link', { name: action, exact: true }).click();
}
