/** Browser test of the first request that is offered for a new API key. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useChromium } from './support/chromium.ts';
import { chooseScopes, openKeys, shownSecret } from './support/keys-page.ts';
import { baseUrl, demo } from './support/service.ts';

const visit = useChromium();
const run = promisify(execFile);

describe('the first request', () => {
  /** Runs the command of the dialog as a shell would, and returns the body. */
  async function tried(page: Page): Promise<string> {
    const command = (await page.getByRole('dialog').getByLabel('request', { exact: true }).textContent()) ?? '';
    expect(command).toContain(baseUrl);
    const { stdout } = await run('sh', ['-c', command.replace('curl', 'curl -s')]);
    return stdout;
  }

  it.each([
    { scopes: ['read'], answers: /"items":/ },
    { scopes: ['write'], answers: /"status":"draft"/ },
    { scopes: ['kyb'], answers: /"version":1/ },
    { scopes: ['admin'], answers: /"items":/ },
  ])('of a key with the scope $scopes works as it is shown, at the real address', async ({ scopes, answers }) => {
    const { page } = await visit('/keys', { as: demo });
    await openKeys(page);
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name').fill(`First request of ${scopes.join()}`);
    await page.getByRole('radio', { name: 'Live' }).check();
    await chooseScopes(page, scopes);
    await page.getByRole('button', { name: 'Create key' }).click();
    await shownSecret(page);
    expect(await tried(page)).toMatch(answers);
  });

  it('is not offered if none works with the scopes alone, and a test key says that the sandbox is off', async () => {
    const { page } = await visit('/keys', { as: demo });
    await openKeys(page);
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name').fill('For later');
    await chooseScopes(page, ['screening']);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('No call works with these scopes alone').waitFor();
    expect(await page.getByRole('dialog').getByLabel('request', { exact: true }).count()).toBe(0);
    await page.getByRole('dialog').getByText('The sandbox is off').waitFor();
  });
});
