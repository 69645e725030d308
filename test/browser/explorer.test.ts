import type { Page, Request } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { LONGEST_WAIT } from '../../scripts/test/limits.ts';
import { findingsInBothColours, scrollsSideways } from './support/axe.ts';
import { PHONE, useChromium } from './support/chromium.ts';
import { baseUrl, demo } from './support/service.ts';
import { gone, shown } from './support/shown.ts';

const visit = useChromium();
/** Default options of `visit`. */
const DESKTOP = {} as const;
const NARROW = { ...PHONE, viewport: { width: 390, height: 844 } } as const;
const LIST = 'GET/v1/applications';
const [KEY, TOKEN, SESSION] = ['API key', 'OAuth 2.0 token', 'Session of a person'];
let accessToken: string;
let applicationId: string;

beforeAll(async () => {
  const answer = await fetch(`${baseUrl}/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: demo.email, password: demo.password }),
  });
  ({ accessToken } = (await answer.json()) as { accessToken: string });
  const created = await fetch(`${baseUrl}/v1/applications`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': demo.apiKey },
    body: JSON.stringify({ purpose: 'account_opening', applicant: { fullName: 'Rosa Prado' } }),
  });
  ({ id: applicationId } = (await created.json()) as { id: string });
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

describe('a call in the explorer', () => {
  it.each([
    ['a desktop', DESKTOP],
    ['a phone', NARROW],
  ] as const)(
    'fits the screen of %s with everything that it needs, in light and in dark colours, and says what to do',
    async (_, options) => {
      const { page, expected } = await visit.kept(`/explorer#tag/applications/${LIST}`, options);
      expected.add(401);
      await openCall(page, LIST);
      await page.getByText('No answer yet').waitFor();
      const box = await sendButton(page).boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? Infinity) + (box?.width ?? 0)).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
      expect(
        await sendButton(page).evaluate((button) => {
          const { x, y, width, height } = button.getBoundingClientRect();
          return [x + 4, x + width - 4].every((at) => button.contains(document.elementFromPoint(at, y + height / 2)));
        }),
      ).toBe(true);
      expect(await scrollsSideways(page)).toBe(false);
      expect(await findingsInBothColours(page)).toEqual([]);
      await send(page, LIST);
      await refused(page);
      await closeCall(page);
    },
  );

  it.each([
    ['List applications', 'applications', LIST],
    ['Search the audit log', 'audit', 'GET/v1/audit/events'],
    ['List users', 'users', 'GET/v1/users'],
  ])('starts with no optional parameter: %s', async (_, tag, operation) => {
    const { page, expected } = await visit.kept(`/explorer#tag/${tag}/${operation}`);
    expected.add(401);
    await openCall(page, operation);
    const request = await send(page, operation);
    expect(new URL(request.url()).search).toBe('');
    const ticked = await page
      .locator('input[aria-label^="Include "]:checked')
      .evaluateAll((boxes) => boxes.map((box) => box.getAttribute('aria-label')));
    expect(ticked).toEqual(['Include accept in request']);
    await refused(page);
    await closeCall(page);
  });

  it('includes a parameter as soon as it has a value', async () => {
    const { page, expected } = await visit(`/explorer#tag/applications/${LIST}`);
    expected.add(401);
    await openCall(page, LIST);
    await row(page, 'level').getByRole('button', { name: 'Select a value' }).click();
    await page.getByRole('menuitem', { name: 'standard' }).click();
    await row(page, 'externalId').getByLabel('Value').last().fill('cust-1');
    const { searchParams } = new URL((await send(page, LIST)).url());
    expect(Object.fromEntries(searchParams)).toEqual({ level: 'standard', externalId: 'cust-1' });
  });

  it('sends every field of a form that looks filled, and the chosen file', async () => {
    const operation = 'POST/v1/applications/{applicationId}/documents';
    const { page } = await visit(`/explorer#tag/applications/${operation}`);
    await openCall(page, operation);
    await page.getByLabel('Value').first().fill(demo.apiKey);
    await row(page, 'applicationId').getByLabel('Value').last().fill(applicationId);
    const picture = await page.screenshot();
    const choosing = page.waitForEvent('filechooser');
    await row(page, 'file').getByRole('button', { name: 'Select File' }).click();
    await (await choosing).setFiles({ name: 'passport.png', mimeType: 'image/png', buffer: picture });
    await page.getByText('passport.png').first().waitFor();
    const request = await send(page, 'POST/v1/applications');
    const answer = await request.response();
    expect(answer?.status()).toBe(201);
    expect(await answer?.json()).toMatchObject({
      type: 'passport',
      side: 'single',
      country: 'BR',
      expiresOn: '2031-05-01',
      fileName: 'passport.png',
    });
  });
});

describe('the explorer', () => {
  it.each([
    ['a desktop', DESKTOP],
    ['a phone', NARROW],
  ])('begins with what to do, on %s', async (_, options) => {
    const { page } = await visit.kept('/explorer', options);
    await page.getByText('Choose a credential').waitFor();
    expect(await page.getByRole('link', { name: 'the reference', exact: true }).getAttribute('href')).toBe(
      '/reference',
    );
    expect(await scrollsSideways(page)).toBe(false);
  });

  it('shows the samples of both SDKs at an operation', async () => {
    const { page } = await visit.kept('/explorer');
    await openOperation(page);
    await page.getByText('"$COMPLIANCE_BASE_URL/v1/applications"').first().waitFor();
    for (const [before, language, call] of [
      ['curl', 'TypeScript', 'for await (const application of client.applications.list())'],
      ['TypeScript', 'Python', 'for application in client.applications.list():'],
    ] as const) {
      // The component loses a choice that is made while the page is still rendering, so the choice is repeated.
      await expect
        .poll(async () => {
          await page.getByRole('button', { name: before, exact: true }).first().click();
          await page.getByRole('option', { name: language }).first().click();
          return page
            .getByText(call)
            .first()
            .waitFor({ timeout: 3_000 })
            .then(
              () => true,
              () => page.getByRole('button', { name: language, exact: true }).first().isVisible(),
            );
        })
        .toBe(true);
      await page.getByText(call).first().waitFor();
    }
  });

  it('never shows light colours on a dark screen, and follows the system until the user chooses', async () => {
    const { page } = await visit('/explorer', { colorScheme: 'dark' });
    await page.addInitScript(() => {
      const seen = new Set<string>();
      Object.assign(window, { seen });
      new MutationObserver(() => {
        if (document.querySelector('#explorer:not(:has(.loading))') !== null) seen.add(document.body.className);
      }).observe(document, { attributes: true, childList: true, subtree: true });
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

  it('has no serious accessibility finding with an operation open, in light and in dark colours', async () => {
    const { page } = await visit.kept('/explorer');
    await openOperation(page);
    expect(await findingsInBothColours(page)).toEqual([]);
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

async function openOperation(page: Page): Promise<void> {
  const sidebar = page.getByRole('complementary');
  const operation = sidebar.getByText('List applications', { exact: true });
  // A page that is still loading opens groups as it scrolls, so that a click may close the
  // group in place of opening it.
  await expect
    .poll(
      async () => {
        if (!(await operation.isVisible())) await sidebar.getByText('Applications', { exact: true }).click();
        return operation.waitFor({ timeout: 2_000 }).then(
          () => true,
          () => false,
        );
      },
      { timeout: LONGEST_WAIT },
    )
    .toBe(true);
  await operation.click();
  await testButton(page, LIST).waitFor();
}

/** Returns the button that tests an operation; the address contains the operation as its method and its path. */
function testButton(page: Page, operation: string) {
  const [method, ...path] = operation.split('/');
  const called = `(${method?.toLowerCase()} /${path.join('/')})`;
  return page.getByRole('button', {
    name: new RegExp(`^Test Request ?${called.replaceAll(/[(){}]/g, String.raw`\$&`)}$`),
  });
}

async function openCall(page: Page, operation: string): Promise<void> {
  await testButton(page, operation).click();
  await sendButton(page).waitFor();
}

/** Resolves when the answer is shown, because until then the console may still report it. */
async function refused(page: Page): Promise<void> {
  await page.getByText('api_key_invalid').filter({ visible: true }).first().waitFor();
}

async function closeCall(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await sendButton(page).waitFor({ state: 'hidden' });
}

function sendButton(page: Page) {
  return page
    .getByRole('button', { name: /^Send (?!Request)/ })
    .filter({ visible: true })
    .last();
}

function row(page: Page, name: string) {
  return page.locator(`tr:has(> td > input[aria-label="Include ${name} in request"])`);
}

/** Sends the request as entered and returns it. */
async function send(page: Page, operation: string): Promise<Request> {
  const [method, ...path] = operation.split('/');
  const sending = page.waitForRequest(
    (request) => request.method() === method && new URL(request.url()).pathname.startsWith(`/${path.join('/')}`),
  );
  await sendButton(page).click();
  return sending;
}

/** Sends the request of the list and returns it after the service has accepted it. */
async function sendList(page: Page): Promise<{ headers: Record<string, string> }> {
  await openOperation(page);
  await openCall(page, LIST);
  const request = await send(page, LIST);
  expect((await request.response())?.status()).toBe(200);
  return { headers: request.headers() };
}
