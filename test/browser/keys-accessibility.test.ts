/** Browser tests of the page of API keys with the keyboard alone. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useChromium } from './support/chromium.ts';
import { demo } from './support/service.ts';
import { begin, chooseScopes, openDetails, openKeys, shownSecret } from './support/keys-page.ts';
import { arrive } from './support/sign-in.ts';
import { examineStates } from './support/states.ts';

const visit = useChromium();
const ANY_KEY = 'Demo live key';

examineStates(visit, [
  {
    name: 'the list of keys',
    path: '/keys',
    as: () => demo,
    reach: openKeys,
  },
  {
    name: 'a list without keys',
    path: '/keys?view=ended&environment=test',
    as: () => demo,
    reach: emptyList,
  },
  {
    name: 'the form of a new key with its errors',
    path: '/keys',
    as: () => demo,
    reach: refusedForm,
  },
  {
    name: 'a secret that is shown',
    path: '/keys',
    as: () => demo,
    reach: newSecret,
  },
  {
    name: 'what is known of a key',
    path: '/keys',
    as: () => demo,
    reach: async (page) => {
      await openKeys(page);
      await openDetails(page, ANY_KEY);
    },
  },
  {
    name: 'the question before a key is revoked',
    path: '/keys',
    as: () => demo,
    reach: (page) => askAt(page, 'Revoke'),
  },
  {
    name: 'the form of an existing key',
    path: '/keys',
    as: () => demo,
    reach: (page) => askAt(page, 'Edit'),
  },
]);

it('can be used by keyboard alone, and returns the focus', async () => {
  const { page } = await visit('/keys', { as: demo });
  await openKeys(page);
  await page.getByRole('button', { name: 'Create a key' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Create a key' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toBe('Create a key');
  await page.getByRole('button', { name: `Actions on ${ANY_KEY}` }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('Scopes');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focused(page)).toBe('Edit');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: `Edit “${ANY_KEY}”` }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toBe(`Actions on ${ANY_KEY}`);
});

it('does not lose a secret to the Escape key or to a click beside the dialog', async () => {
  const { page } = await visit('/keys');
  await newSecret(page);
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  expect(await page.getByRole('dialog').isVisible()).toBe(true);
});

function focused(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);
}

async function emptyList(page: Page): Promise<void> {
  await arrive(page);
  await page.getByText('No key has ended').waitFor();
}

async function refusedForm(page: Page): Promise<void> {
  await openKeys(page);
  await page.getByRole('button', { name: 'Create a key' }).click();
  await chooseScopes(page, []);
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('Choose at least one scope.').waitFor();
}

async function newSecret(page: Page): Promise<void> {
  await openKeys(page);
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('Name').fill('Shown');
  await page.getByRole('button', { name: 'Create key' }).click();
  await shownSecret(page);
}

async function askAt(page: Page, action: string): Promise<void> {
  await openKeys(page);
  await begin(page, ANY_KEY, action);
}
