/** Browser tests of the first visit of a new tenant and of its checklist. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { api, tokenOf } from './support/api.ts';
import { useChromium } from './support/chromium.ts';
import { enrol, join, pathOf } from './support/join.ts';
import { linkTo } from './support/outbox.ts';
import { demo } from './support/service.ts';
import { signIn } from './support/sign-in.ts';
import { saved, section } from './support/settings-page.ts';
import { shown } from './support/shown.ts';
import { examineStates } from './support/states.ts';
import { answerIfPrompted } from './support/step-up.ts';
import { announced } from './support/toast.ts';

const visit = useChromium();
const { firstRun } = demo;

describe('the first run', () => {
  it('takes a tenant from the invitation of its owner to production, and every step moves by itself', async () => {
    const { page, expectedConsoleErrors } = await visit(pathOf(firstRun.owner.link));
    expectedConsoleErrors.add(401).add(403);
    await join(page, firstRun.owner.name);
    await page.getByRole('heading', { level: 1, name: 'Go live' }).waitFor();
    await page.getByRole('banner').getByText('Sandbox').waitFor();
    expect(await page.getByRole('button', { name: 'Go live' }).count()).toBe(0);

    // A next step leads to the page where it is done.
    await page
      .getByRole('region', { name: 'Progress' })
      .getByRole('link', { name: 'Protect an owner with a second factor' })
      .click();
    const authenticator = await enrol(page);
    await goTo(page, 'Go live');
    await done(page, 'Protect an owner with a second factor');

    await goTo(page, 'Team');
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    const officer = `officer-${Date.now()}@aurora.example`;
    await page.getByRole('dialog').getByLabel('E-mail').fill(officer);
    await page.getByRole('radio', { name: 'Compliance officer' }).check();
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    await announced(page, 'is invited');
    await goTo(page, 'Go live');
    await page.getByRole('heading', { name: 'Have a compliance officer beside somebody else' }).waitFor();

    // The officer works in a separate window, and this page is refreshed when it gets the focus again.
    const { page: other } = await visit(await linkTo(officer, '/invitation'));
    await join(other, 'Otto Pires');
    await goTo(other, 'Settings');
    await save(other, 'Decision policy');
    await save(other, 'Retention');
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    await done(page, 'Have a compliance officer beside somebody else');
    await page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'Have a compliance officer' }) })
      .getByText('Otto Pires')
      .waitFor();
    await done(page, 'Let a compliance officer set the decision policy');
    await done(page, 'Set how long records are kept');

    await goTo(page, 'Sandbox');
    await page
      .getByRole('button', { name: /^Submit an application/ })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click();
    await announced(page, 'is submitted');
    await goTo(page, 'Audit log');
    await page.getByRole('link', { name: 'Verify the log' }).click();
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByText('The log holds.').waitFor();
    await page.keyboard.press('Escape');
    await goTo(page, 'Go live');
    await done(page, 'Submit an application in the sandbox');
    await done(page, 'Verify the audit log');

    await page
      .getByRole('button', { name: /^Put aside/ })
      .first()
      .click();
    await page.getByLabel('Reason').fill('We show our own pages to applicants');
    await page.getByRole('dialog').getByRole('button', { name: 'Put aside' }).click();
    await page.getByText('“We show our own pages to applicants”').waitFor();
    await page.getByRole('button', { name: /^Take up again/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take up again' }).click();
    await announced(page, 'is open again');

    await page.getByRole('button', { name: 'Go live' }).click();
    await page.getByRole('dialog').getByText('This cannot be taken back').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Go live' }).click();
    const live = page.getByText(`${firstRun.tenant.name} is live`, { exact: true });
    await answerIfPrompted(page, authenticator, live);
    await live.waitFor();
    await page.getByRole('banner').getByText('Live', { exact: true }).waitFor();
  });
});

describe('the checklist', () => {
  it('names the first step, and the evidence that a step is done', async () => {
    const { page } = await visit('/onboarding');
    await signIn(page);
    const step = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'Create a live API key' }) });
    await shown(step.getByText('Done', { exact: true }));
    await shown(step.getByText(/kyc_live_/).first());
  });

  it('lets only owners and admins dismiss a step', async () => {
    const { page } = await visit('/onboarding');
    const email = `reader-${Date.now()}@example.com`;
    const token = await tokenOf(demo);
    await api('POST', '/v1/users/invitations', { token, body: { email, role: 'viewer' } });
    await page.goto(await linkTo(email, '/invitation'));
    await join(page, 'Rita Leal');
    await goTo(page, 'Go live');
    await page.getByRole('heading', { name: 'Create a live API key' }).waitFor();
    expect(await page.getByRole('button', { name: /^Put aside/ }).count()).toBe(0);
  });
});

examineStates(visit, [
  {
    name: 'the checklist',
    path: '/onboarding',
    reach: async (page) => {
      await signIn(page);
      await page.getByRole('heading', { name: 'Create a live API key' }).waitFor();
    },
  },
]);

async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

async function done(page: Page, title: string): Promise<void> {
  await page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: title }) })
    .getByText('Done', { exact: true })
    .waitFor();
}

/** Saves a policy; a policy is the tenant's own once it was saved, even unchanged. */
async function save(page: Page, name: string): Promise<void> {
  const policy = await section(page, name);
  await policy.getByRole('button', { name: /^Save/ }).click();
  await saved(page, name);
}
