/** Browser tests of the tenants that an administrator of the platform manages. */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator } from './support/administrator.ts';
import { api } from './support/api.ts';
import { useChromium } from './support/chromium.ts';
import { enrol, join, pathOf } from './support/join.ts';
import { linkTo } from './support/outbox.ts';
import { GOOD_PASSWORD, protectedPerson } from './support/people.ts';
import type { Protected } from './support/people.ts';
import { demo, secondAdministrator } from './support/service.ts';
import { gone, shown } from './support/shown.ts';
import { signedIn, signIn, signInWithCode, signInWithRecoveryCode, signOut } from './support/sign-in.ts';
import { examineStates } from './support/states.ts';
import { answerIfPrompted } from './support/step-up.ts';

const visit = useChromium();
const { platformAdministrator, tenant } = demo.firstRun;
let first: Protected;
let second: Protected;
let used = 0;

beforeAll(async () => {
  second = await administrator(secondAdministrator, 'Edna Reis');
});

it('admits an administrator of the platform only with a second factor, and leads to the tenants', async () => {
  const { page, expectedConsoleErrors } = await visit(pathOf(platformAdministrator.link));
  expectedConsoleErrors.add(403);
  await join(page, platformAdministrator.name);
  await page.getByText('asks for a second factor').waitFor();
  expect(await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link').allTextContents()).toEqual([
    'Account',
  ]);
  const authenticator = await enrol(page);
  await page.getByRole('heading', { level: 1, name: 'Tenants' }).waitFor();
  expect(await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link').allTextContents()).toEqual([
    'Tenants',
    'Watch lists',
    'Audit log',
    'Account',
  ]);
  await rowOf(page, tenant.name).getByText('Onboarding').waitFor();
  const { email, name } = platformAdministrator;
  first = {
    email,
    name,
    password: GOOD_PASSWORD,
    id: '',
    token: '',
    authenticator,
    recoveryCodes: [],
  };
});

describe('a tenant', () => {
  it('is created with its owner, suspended, reactivated, and closed by two', async () => {
    const { page, expectedConsoleErrors } = await visit('/tenants');
    expectedConsoleErrors.add(401).add(403);
    await open(page, second);
    const name = `Banco Teste ${Date.now()}`;
    const email = `owner-${Date.now()}@teste.example`;
    await page.getByRole('button', { name: 'Create a tenant' }).click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    expect(await page.getByLabel('Slug', { exact: true }).inputValue()).toMatch(/^banco-teste-\d+$/);
    await page.getByLabel('E-mail of the owner').fill(email);
    await page.getByRole('button', { name: 'Create and invite' }).click();
    const invited = page.locator('.toast').getByText(`${email} is invited`);
    await answerIfPrompted(page, second.authenticator, invited);
    await invited.waitFor();
    expect(await linkTo(email, '/invitation')).toContain('/invitation#token=');

    await set(page, name, 'Suspend…', 'Suspend');
    await rowOf(page, name).getByText('Suspended', { exact: true }).waitFor();
    await set(page, name, 'Reactivate…', 'Reactivate');
    await rowOf(page, name).getByText('Onboarding', { exact: true }).waitFor();
    await set(page, name, 'Close…', 'Ask to close');
    await rowOf(page, name).getByText('A second administrator has to confirm').waitFor();
    await rowOf(page, name)
      .getByRole('button', { name: `Actions for ${name}` })
      .click();
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Health', 'Plan and quotas…', 'Suspend…']);
    await page.keyboard.press('Escape');

    await signOut(page);
    await open(page, first);
    await set(page, name, 'Confirm closing…', 'Close for good');
    await rowOf(page, name).getByText('Closed', { exact: true }).waitFor();
  });

  it('gets another quota, below the present use only after a confirmation', async () => {
    const { page, expectedConsoleErrors } = await visit('/tenants');
    expectedConsoleErrors.add(401).add(403).add(422);
    await open(page, second);
    const dialog = page.getByRole('dialog');
    await act(page, demo.tenant.name, 'Plan and quotas…');
    const before = await dialog.getByLabel('API keys').inputValue();
    await dialog.getByLabel('API keys').fill('1');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const anyway = dialog.getByRole('checkbox', { name: /^Set it anyway/ });
    await answerIfPrompted(page, second.authenticator, anyway);
    await anyway.check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await shown(rowOf(page, demo.tenant.name).getByText(/ of 1$/));
    await act(page, demo.tenant.name, 'Plan and quotas…');
    await dialog.getByLabel('API keys').fill(before);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await gone(rowOf(page, demo.tenant.name).getByText(/ of 1$/));
  });

  it('shows its audit chain and the delay of the jobs', async () => {
    const { page, expectedConsoleErrors } = await visit('/tenants');
    expectedConsoleErrors.add(401);
    await open(page, second);
    await act(page, demo.tenant.name, 'Health');
    await page.getByRole('dialog').getByText('Audit events').waitFor();
    expect(await page.getByRole('dialog').getByRole('row').count()).toBeGreaterThan(1);
  });

  it('is found by a part of its name', async () => {
    const { page, expectedConsoleErrors } = await visit('/tenants');
    expectedConsoleErrors.add(401);
    await open(page, second);
    await page.getByLabel('Name or slug').fill(tenant.slug);
    await expect.poll(() => tenants(page).count()).toBe(1);
    await page.getByLabel('Status').selectOption('Closed');
    await page.getByText('No tenant fits').waitFor();
  });
});

it('lets a person with an account join another tenant with its password and second factor, and choose at the next sign-in', async () => {
  const who = await protectedPerson('analyst', 'Works Twice');
  const name = `Outra Casa ${Date.now()}`;
  await api('POST', '/v1/admin/tenants', {
    token: second.token,
    totpCode: await second.authenticator.next(),
    body: { name, slug: `outra-${Date.now()}`, ownerEmail: who.email },
  });
  const { page, expectedConsoleErrors } = await visit(await linkTo(who.email, '/invitation'));
  expectedConsoleErrors.add(401).add(409);
  await page.getByLabel('Your name').fill(who.name);
  await page.getByLabel('Password', { exact: true }).fill('not the password of it');
  await page.getByRole('button', { name: 'Join' }).click();
  await shown(page.getByText('Your address has an account already'));
  await page.getByLabel('Password', { exact: true }).fill(who.password);
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByLabel('Code of your authenticator').fill(await who.authenticator.next());
  await page.getByRole('button', { name: 'Join' }).click();
  await shown(page.getByRole('banner').getByText(name));
  await signedIn(page);
  await signOut(page);

  await signIn(page, who);
  await page.getByLabel('Tenant').selectOption(demo.tenant.name);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Code of your authenticator').fill(await who.authenticator.next());
  await page.getByRole('button', { name: 'Sign in' }).click();
  await shown(page.getByRole('banner').getByText(demo.tenant.name));
});

examineStates(visit, [
  {
    name: 'the tenants',
    path: '/tenants',
    refusals: [401],
    reach: (page) => open(page, second),
  },
  {
    name: 'the health of a tenant',
    path: '/tenants',
    refusals: [401],
    reach: async (page) => {
      await open(page, second);
      await act(page, tenant.name, 'Health');
      await page.getByRole('dialog').getByText('Audit events').waitFor();
    },
  },
]);

async function open(page: Page, who: Protected): Promise<void> {
  // The authenticator shows a new code only every thirty seconds, and many tests sign in.
  const recoveryCode = who === second ? who.recoveryCodes[used++] : undefined;
  await (recoveryCode === undefined ? signInWithCode(page, who) : signInWithRecoveryCode(page, who, recoveryCode));
  await tenants(page).first().waitFor();
}

/** Returns the rows of the table, without its head. */
function tenants(page: Page): Locator {
  return page.getByRole('row').filter({ has: page.getByRole('rowheader') });
}

function rowOf(page: Page, name: string): Locator {
  return tenants(page).filter({ has: page.getByRole('rowheader').getByText(name, { exact: true }) });
}

/** Chooses an action of a tenant's menu. */
async function act(page: Page, name: string, action: string): Promise<void> {
  await rowOf(page, name)
    .getByRole('button', { name: `Actions for ${name}` })
    .click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

async function set(page: Page, name: string, action: string, confirm: string): Promise<void> {
  await act(page, name, action);
  await page.getByRole('dialog').getByRole('button', { name: confirm, exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}
