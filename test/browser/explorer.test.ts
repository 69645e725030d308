import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFindings } from './support/axe.ts';
import { useChromium } from './support/chromium.ts';
import { baseUrl, demo } from './support/service.ts';

const visit = useChromium();
const OPERATION = 'List applications';
let accessToken: string;

beforeAll(async () => {
  const answer = await fetch(`${baseUrl}/v1/auth/login`, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ email: demo.email, password: demo.password }),
  });
  ({ accessToken } = (await answer.json()) as { accessToken: string });
});

describe('the explorer', () => {
  it('calls an operation with an API key', async () => {
    const { page } = await visit('/explorer');
    await choose(page, 'apiKey');
    await authentication(page).getByLabel('Value').fill(demo.apiKey);
    const request = await send(page);
    expect(request.headers).toMatchObject({ 'x-api-key': demo.apiKey });
    expect(request.headers['authorization']).toBeUndefined();
  });

  it('calls an operation with a bearer token', async () => {
    const { page } = await visit('/explorer');
    await choose(page, 'bearerAuth');
    await authentication(page).getByLabel('Bearer Token').fill(accessToken);
    expect((await send(page)).headers).toMatchObject({ authorization: `Bearer ${accessToken}` });
  });

  it.each([
    { location: 'body', basic: false },
    { location: 'header', basic: true },
  ])('gets a token with client credentials in the $location, and calls an operation with it', async ({ location, basic }) => {
    const { page } = await visit('/explorer');
    await choose(page, 'oauth2');
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
    expect((await send(page)).headers).toMatchObject({ authorization: `Bearer ${token}` });
  });

  it('shows the samples of both SDKs at an operation', async () => {
    const { page } = await visit('/explorer');
    await openOperation(page);
    await page.getByText('"$COMPLIANCE_BASE_URL/v1/applications"').first().waitFor();
    for (const [before, language, call] of [['curl', 'TypeScript', 'for await (const application of client.applications.list())'], ['TypeScript', 'Python', 'for application in client.applications.list():']] as const) {
      await page.getByRole('button', { name: before, exact: true }).first().click();
      await page.getByRole('option', { name: language }).first().click();
      await page.getByText(call).first().waitFor();
    }
  });

  it('never shows a dark screen light colours, and follows the system until somebody chooses', async () => {
    const { page } = await visit('/explorer', { colorScheme: 'dark' });
    await page.addInitScript(() => {
      const seen = new Set<string>();
      Object.assign(window, { seen });
      new MutationObserver(() => { if (document.querySelector('#explorer:not(:has(.loading))') !== null) seen.add(document.body.className); })
        .observe(document, { attributes: true, childList: true, subtree: true });
    });
    const modes = () => page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen]);
    await page.reload();
    await page.getByText('Selected Auth Type').waitFor();
    expect(await modes()).toEqual(['dark-mode']);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.reload();
    await page.getByText('Selected Auth Type').waitFor();
    expect(await modes()).toEqual(['light-mode']);
    await page.getByRole('switch', { name: 'Set dark mode' }).or(page.getByLabel('Set dark mode')).first().click();
    await page.reload();
    await page.getByText('Selected Auth Type').waitFor();
    expect(await modes()).toEqual(['dark-mode']);
  });

  it.each(['light', 'dark'] as const)('has no serious accessibility finding with an operation open, in %s colours', async (colorScheme) => {
    const { page } = await visit('/explorer', { colorScheme });
    await openOperation(page);
    expect(await accessibilityFindings(page)).toEqual([]);
  });
});

/** The panel that takes the credentials, once for all operations. */
function authentication(page: Page) {
  return page.getByRole('region', { name: 'Authentication' });
}

async function choose(page: Page, scheme: string): Promise<void> {
  await page.getByText('Selected Auth Type').click();
  for (const option of await page.getByRole('option').all()) {
    const selected = (await option.getAttribute('aria-selected')) === 'true';
    if (selected !== ((await option.textContent())?.trim() === scheme)) await option.click();
  }
  await page.keyboard.press('Escape');
  await page.getByText(`Selected Auth Type: ${scheme}`).waitFor();
}

async function openOperation(page: Page): Promise<void> {
  const sidebar = page.getByRole('complementary');
  await sidebar.getByText('applications', { exact: true }).click();
  await sidebar.getByText(OPERATION, { exact: true }).click();
  await testButton(page).waitFor();
}

function testButton(page: Page) {
  return page.getByRole('button', { name: /^Test Request ?\(get \/v1\/applications\)$/ });
}

/** Sends the request of the operation and answers what went out, after the service has accepted it. */
async function send(page: Page): Promise<{ headers: Record<string, string> }> {
  await openOperation(page);
  await testButton(page).click();
  const answering = page.waitForResponse('**/v1/applications*');
  await page.getByRole('button', { name: /^Send/ }).last().click();
  const answer = await answering;
  expect(answer.status()).toBe(200);
  return { headers: answer.request().headers() };
}
