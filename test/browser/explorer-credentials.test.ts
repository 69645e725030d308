/** Browser tests of the credentials in the API explorer. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { LONGEST_WAIT } from '../../scripts/test/limits.ts';
import { useChromium } from './support/chromium.ts';
import { baseUrl, demo } from './support/service.ts';
import { gone, shown } from './support/shown.ts';
import { LIST, openCall, openOperation, send } from './support/explorer-page.ts';

const visit = useChromium();
const [KEY, TOKEN, SESSION] = ['API key', 'OAuth 2.0 token', 'Session of a person'];
let accessToken: string;

beforeAll(async () => {
  const answer = await fetch(`${baseUrl}/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: demo.email, password: demo.password }),
  });
  ({ accessToken } = (await answer.json()) as { accessToken: string });
});

describe('the credentials of the explorer', () => {
  it('calls an operation with an API key', async () => {
    const { page } = await visit('/explorer');
    await authentication(page).getByLabel('Value').fill(demo.apiKey);
    const { headers } = await sendList(page);
    expect(headers).toMatchObject({ 'x-api-key': demo.apiKey });
    expect(headers['authorization']).toBeUndefined();
  });

  it('calls an operation with the session of a person', async () => {
    const { page } = await visit('/explorer');
    await choose(page, SESSION);
    await authentication(page).getByLabel('Bearer Token').fill(accessToken);
    expect((await sendList(page)).headers).toMatchObject({ authorization: `Bearer ${accessToken}` });
  });

  it.each([
    { location: 'body', basic: false },
    { location: 'header', basic: true },
  ])(
    'gets a token with client credentials in the $location, and calls an operation with it',
    async ({ location, basic }) => {
      const { page } = await visit('/explorer');
      await choose(page, TOKEN);
      if (location !== 'body') {
        await authentication(page).getByRole('button', { name: 'body' }).click();
        await page.getByRole('menuitem', { name: location }).click();
      }
      await authentication(page).getByLabel('Client ID').fill(demo.clientId);
      await authentication(page).getByLabel('Client Secret').fill(demo.clientSecret);
      const answering = page.waitForResponse('**/oauth/token');
      await page.getByRole('button', { name: 'Authorize' }).click();
      const answer = await answering;
      expect(answer.status()).toBe(200);
      expect((answer.request().headers()['authorization'] ?? '').startsWith('Basic ')).toBe(basic);
      const token = ((await answer.json()) as { access_token: string }).access_token;
      expect((await sendList(page)).headers).toMatchObject({ authorization: `Bearer ${token}` });
    },
  );

  it('replace each other, so that no call carries two', async () => {
    const { page } = await visit('/explorer');
    await authentication(page).getByLabel('Value').fill(demo.apiKey);
    await choose(page, SESSION);
    await authentication(page).getByLabel('Bearer Token').fill(accessToken);
    const { headers } = await sendList(page);
    expect(headers['authorization']).toBe(`Bearer ${accessToken}`);
    expect(headers['x-api-key']).toBeUndefined();
  });

  it('is chosen by keyboard alone', async () => {
    const { page } = await visit('/explorer');
    const chosen = page.getByRole('button', { name: `Selected Auth Type: ${KEY}` });
    const opened = page.getByRole('option', { name: KEY });
    // A page that is still loading may move the focus between focus and key.
    await expect
      .poll(
        async () => {
          await chosen.press('Enter');
          return opened.waitFor({ timeout: 2_000 }).then(
            () => true,
            () => false,
          );
        },
        { timeout: LONGEST_WAIT },
      )
      .toBe(true);
    await shown(page.getByRole('combobox').and(page.locator(':focus')));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await shown(page.getByRole('button', { name: `Selected Auth Type: ${TOKEN}` }));
    await gone(page.getByRole('option').first());
  });
});

/** Returns the panel for the credentials, which all operations share. */
function authentication(page: Page) {
  return page.getByRole('region', { name: 'Authentication' });
}

/** Chooses a scheme; the former credential is replaced by it. */
async function choose(page: Page, scheme: string | undefined): Promise<void> {
  await page.getByText('Selected Auth Type').click();
  await page.getByRole('option', { name: scheme ?? '', exact: true }).click();
  await page.getByText(`Selected Auth Type: ${scheme}`).waitFor();
  await page.getByRole('option').first().waitFor({ state: 'detached' });
}

/** Sends the request of the list and returns it after the service has accepted it. */
async function sendList(page: Page): Promise<{ headers: Record<string, string> }> {
  await openOperation(page);
  await openCall(page, LIST);
  const request = await send(page, LIST);
  expect((await request.response())?.status()).toBe(200);
  return { headers: request.headers() };
}
