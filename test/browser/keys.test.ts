import { describe, expect, it } from 'vitest';
import { callWith } from './support/call.ts';
import { useChromium } from './support/chromium.ts';
import { card, chooseScopes, createKey, openKeys, takeSecret } from './support/keys-page.ts';
import { baseUrl, demo } from './support/service.ts';
import { signIn } from './support/sign-in.ts';

const visit = useChromium();
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };

describe('signing in', () => {
  it('says that the password is wrong and lets one try again', async () => {
    const { page, expected } = await visit('/keys');
    expected.add(401);
    await signIn(page, { password: 'not the password' });
    await page.getByRole('alert').getByText('The e-mail or the password is wrong').waitFor();
    await openKeys(page);
  });

  it('shows what is wrong with a field beside it, and puts the focus there', async () => {
    const { page, expected } = await visit('/keys');
    expected.add(422);
    await signIn(page, { email: 'not an address' });
    await page.locator('.field', { hasText: 'E-mail' }).locator('.field-error').getByText(/\w/).waitFor();
    expect(await page.getByLabel('E-mail').evaluate((field) => field === document.activeElement && field.getAttribute('aria-invalid') === 'true')).toBe(true);
  });

  it('asks for the tenant when the e-mail belongs to several', async () => {
    const { page, expected } = await visit('/keys');
    expected.add(409);
    const { slug, name } = demo.tenant;
    // The demo user has one tenant; this is the answer for a user of two, in the words of the contract.
    await page.route('**/v1/auth/login', (route) => route.fulfill({
      status: 409, contentType: 'application/problem+json',
      json: { type: '/problems/tenant_selection_required', title: 'The e-mail belongs to several tenants', status: 409, code: 'tenant_selection_required',
        requestId: '0197f2d1-77aa-7c11-8e21-5f4b3a2c1d00', tenants: [{ slug: 'another', name: 'Another' }, { slug, name }] },
    }), { times: 1 });
    await signIn(page);
    await page.getByLabel('Tenant').selectOption(name);
    const sent = page.waitForRequest('**/v1/auth/login');
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect((await sent).postDataJSON()).toMatchObject({ tenantSlug: slug });
    await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
  });

  it('keeps the tokens out of every store of the browser', async () => {
    const { page } = await visit('/keys');
    await openKeys(page);
    expect(await page.evaluate(() => ({ ...localStorage, ...sessionStorage, cookies: document.cookie }))).toEqual({ cookies: '' });
  });

  it('forgets the session when the user signs out', async () => {
    const { page } = await visit('/keys');
    await openKeys(page);
    const left = page.waitForResponse('**/v1/auth/logout');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out').waitFor();
    expect((await left).status()).toBe(204);
    expect(await page.getByRole('article').count()).toBe(0);
  });
});

describe('a key', () => {
  it('is created with the chosen scopes, shown once, and works', async () => {
    const { page } = await visit('/keys', clipboard);
    await openKeys(page);
    const secret = await createKey(page, 'Created in a browser');
    expect(secret).toMatch(/^kyc_live_/);
    expect(await callWith(secret)).toBe(200);
    await card(page, 'Created in a browser').getByText('Active').waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  it('shows persons masked, until an owner grants them in full', async () => {
    const { page } = await visit('/keys', clipboard);
    await openKeys(page);
    await createKey(page, 'About persons');
    await card(page, 'About persons').getByText('Masked').waitFor();
    await card(page, 'About persons').getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('checkbox', { name: 'Show persons in full' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await card(page, 'About persons').getByText('Shown in full').waitFor();
  });

  it('is described in the words of the contract', async () => {
    const { page } = await visit('/keys');
    await openKeys(page);
    await page.getByRole('button', { name: 'Create a key' }).click();
    const contract = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as {
      components: { securitySchemes: { oauth2: { flows: { clientCredentials: { scopes: Record<string, string> } } } } };
    };
    for (const meaning of Object.values(contract.components.securitySchemes.oauth2.flows.clientCredentials.scopes)) {
      expect(await page.getByRole('checkbox', { name: meaning }).count(), meaning).toBe(1);
    }
  });

  it('is refused without a name or a scope, each complaint beside its field', async () => {
    const { page, expected } = await visit('/keys');
    expected.add(422);
    await openKeys(page);
    await page.getByRole('button', { name: 'Create a key' }).click();
    await chooseScopes(page, []);
    await page.getByLabel('Allowed networks').fill('203.0.113.0/24\neverywhere');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.locator('.field', { has: page.getByLabel('Name') }).locator('.field-error span').waitFor();
    await page.locator('fieldset', { hasText: 'What the key may do' }).locator('.field-error span').waitFor();
    await page.locator('.field', { has: page.getByLabel('Allowed networks') }).getByText('Line 2:').waitFor();
  });

  it('is created once, even if the answer was lost and the button pressed again', async () => {
    const { page, expected } = await visit('/keys', clipboard);
    expected.add('ERR_CONNECTION_RESET');
    await openKeys(page);
    await page.route('**/v1/settings/api-keys', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    }, { times: 1 });
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name').fill('Asked for twice');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('The service cannot be reached').waitFor();
    await page.getByRole('button', { name: 'Create key' }).click();
    expect(await callWith(await takeSecret(page))).not.toBe(401);
    await card(page, 'Asked for twice').first().waitFor();
    expect(await card(page, 'Asked for twice').count()).toBe(1);
  });

  it('shows when and from where it was used, and how much', async () => {
    const { page } = await visit('/keys', clipboard);
    await openKeys(page);
    const secret = await createKey(page, 'Used and counted');
    expect(await callWith(secret)).toBe(200);
    expect(await callWith(secret, '/v1/settings/api-keys')).toBe(403);
    // Uses are written down in batches beside the requests.
    await expect.poll(async () => {
      await page.getByRole('button', { name: 'Ended' }).click();
      await page.getByRole('button', { name: 'In use' }).click();
      await card(page, 'Used and counted').waitFor();
      return card(page, 'Used and counted').textContent();
    }, { timeout: 30_000, interval: 1000 }).toMatch(/from 127\.0\.0\.1.*2 requests, 1 error/);
  });

  it('that nobody has used for long is found', async () => {
    const { page } = await visit('/keys', clipboard);
    await openKeys(page);
    await createKey(page, 'Never used at all');
    const asked = page.waitForRequest('**/v1/settings/api-keys?*');
    await page.getByRole('button', { name: 'Unused for 90 days' }).click();
    const since = new URL((await asked).url()).searchParams.get('unusedSince') ?? '';
    expect(Math.round((Date.now() - Date.parse(since)) / 86_400_000)).toBe(90);
    await card(page, 'Never used at all').waitFor();
  });

  it('that ends soon says so', async () => {
    const { page } = await visit('/keys', clipboard);
    await openKeys(page);
    await createKey(page, 'Ends soon');
    await card(page, 'Ends soon').getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Expires').selectOption('On a date…');
    await page.getByLabel('Expiry date').fill(new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10));
    await page.getByRole('button', { name: 'Save' }).click();
    await card(page, 'Ends soon').getByText('before its callers are refused').waitFor();
  });

  it('loses a scope at once', async () => {
    const { page } = await visit('/keys', clipboard);
    await openKeys(page);
    const secret = await createKey(page, 'To be narrowed', { scopes: ['read', 'admin'] });
    expect(await callWith(secret, '/v1/settings/api-keys')).toBe(200);
    await card(page, 'To be narrowed').getByRole('button', { name: /^Scopes/ }).click();
    await chooseScopes(page, ['read']);
    await page.getByRole('button', { name: 'Save scopes' }).click();
    await page.getByRole('status').getByText('Scopes of To be narrowed saved').waitFor();
    expect(await card(page, 'To be narrowed').locator('.scope').allTextContents()).toEqual(['read']);
    expect(await callWith(secret, '/v1/settings/api-keys')).toBe(403);
  });

  it('is renamed, ends on a day and is tied to a network', async () => {
    const { page } = await visit('/keys', clipboard);
    await openKeys(page);
    const secret = await createKey(page, 'Plain');
    await card(page, 'Plain').getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Name').fill('Tied down');
    await page.getByLabel('Expires').selectOption('In 30 days');
    await page.getByLabel('Allowed networks').fill('203.0.113.0/24');
    await page.getByRole('button', { name: 'Save' }).click();
    await card(page, 'Tied down').getByText('203.0.113.0/24').waitFor();
    expect(await callWith(secret)).toBe(403);
  });

  it('is rotated with an overlap: both keys work', async () => {
    const { page } = await visit('/keys', clipboard);
    await openKeys(page);
    const old = await createKey(page, 'To be rotated');
    await card(page, 'To be rotated').getByRole('button', { name: /^Rotate/ }).click();
    await page.getByLabel('The old key keeps working for').selectOption('1 day');
    await page.getByRole('button', { name: 'Rotate key' }).click();
    const successor = await takeSecret(page);
    expect(successor).not.toBe(old);
    expect([await callWith(old), await callWith(successor)]).toEqual([200, 200]);
    await card(page, 'To be rotated').filter({ hasText: 'Rotating' }).getByText(successor.slice(0, 17)).waitFor();
  });

  it('is revoked only after a second word, and then refused', async () => {
    const { page } = await visit('/keys', clipboard);
    await openKeys(page);
    const secret = await createKey(page, 'To be revoked');
    await card(page, 'To be revoked').getByRole('button', { name: /^Revoke/ }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await callWith(secret)).toBe(200);
    await card(page, 'To be revoked').getByRole('button', { name: /^Revoke/ }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('status').getByText('To be revoked revoked').waitFor();
    expect(await callWith(secret)).toBe(401);
    await page.getByRole('button', { name: 'Ended' }).click();
    await card(page, 'To be revoked').getByText('Revoked', { exact: true }).waitFor();
  });

  it('that somebody else has changed meanwhile is not overwritten', async () => {
    const { page, expected } = await visit('/keys', clipboard);
    expected.add(412);
    await openKeys(page);
    const secret = await createKey(page, 'Seen by two');
    const renamed = await callWith(demo.apiKey, `/v1/settings/api-keys/${secret.slice(0, 17)}`, {
      method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ pinEnvironment: true }),
    });
    expect(renamed).toBe(200);
    await card(page, 'Seen by two').getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Name').fill('Overwritten');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('The resource has changed').waitFor();
  });
});

describe('the session', () => {
  it('is refreshed when its access token is refused, without the user noticing', async () => {
    const { page, expected } = await visit('/keys');
    expected.add(401);
    await openKeys(page);
    const refusal = { type: '/problems/token_expired', title: 'The token has expired', status: 401, code: 'token_expired', requestId: '0197f2d1-77aa-7c11-8e21-5f4b3a2c1d00' };
    await page.route('**/v1/settings/api-keys?*', (route) => route.fulfill({ status: 401, contentType: 'application/problem+json', json: refusal }), { times: 1 });
    const refreshed = page.waitForResponse('**/v1/auth/refresh');
    await page.getByRole('button', { name: 'Ended' }).click();
    expect((await refreshed).status()).toBe(200);
    await page.getByRole('button', { name: 'In use' }).click();
    await page.getByRole('article').first().waitFor();
  });

  it('that was ended elsewhere leads back to the sign-in, with the reason', async () => {
    const { page, expected } = await visit('/keys');
    expected.add(401);
    await openKeys(page);
    const { email, password } = demo;
    const post = (path: string, body: object, headers: Record<string, string> = {}) =>
      fetch(`${baseUrl}${path}`, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) });
    const { accessToken } = (await (await post('/v1/auth/login', { email, password })).json()) as { accessToken: string };
    expect((await post('/v1/auth/logout', { everywhere: true }, { Authorization: `Bearer ${accessToken}` })).status).toBe(204);
    await page.getByRole('button', { name: 'Ended' }).click();
    await page.getByText('Your session has ended').waitFor();
    expect(await page.getByRole('button', { name: 'Create a key' }).count()).toBe(0);
  });
});
