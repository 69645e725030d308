/** Browser tests of creating, changing, rotating and revoking API keys. */
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { api } from './support/api.ts';
import { callWith } from './support/call.ts';
import { useChromium } from './support/chromium.ts';
import { begin, chooseScopes, createKey, openDetails, openKeys, row, takeSecret } from './support/keys-page.ts';
import { person } from './support/people.ts';
import { demo } from './support/service.ts';
import { announced } from './support/toast.ts';

const visit = useChromium();
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };

describe('a key', () => {
  it('is created with the chosen scopes, shown once, and works', async () => {
    const { page } = await visit('/keys', { ...clipboard, as: demo });
    await openKeys(page);
    const secret = await createKey(page, 'Created in a browser');
    expect(secret).toMatch(/^kyc_live_/);
    expect(await callWith(secret)).toBe(200);
    await row(page, 'Created in a browser').getByText('Active').waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  it('shows persons masked, until an owner grants them in full', async () => {
    const { page } = await visit('/keys', { ...clipboard, as: demo });
    await openKeys(page);
    await createKey(page, 'About persons');
    await (await openDetails(page, 'About persons')).getByText('Masked').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('checkbox', { name: 'Show persons in full' }).check();
    // The list is delayed, and the key must not be shown in its former state meanwhile.
    await page.route('**/v1/settings/api-keys?*', (route) => setTimeout(1_500).then(() => route.continue()));
    await page.getByRole('button', { name: 'Save' }).click();
    await announced(page, 'About persons saved');
    await (await openDetails(page, 'About persons')).getByText('Shown in full').waitFor();
  });

  it('is refused without a name or a scope, each complaint beside its field, and an empty field says what to enter', async () => {
    const { page, expectedConsoleErrors } = await visit('/keys', { as: demo });
    expectedConsoleErrors.add(422);
    await openKeys(page);
    await page.getByRole('button', { name: 'Create a key' }).click();
    await chooseScopes(page, []);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page
      .locator('.field', { has: page.getByLabel('Name') })
      .getByText('Enter a name.')
      .waitFor();
    await page.getByRole('group', { name: 'What the key may do' }).getByText('Choose at least one scope.').waitFor();
    expect(await page.getByLabel('Name').evaluate((field) => field === document.activeElement)).toBe(true);
    await page.getByLabel('Name').fill('Nearly');
    await chooseScopes(page, ['read']);
    await page.getByLabel('Expires').selectOption('On a date…');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Enter the day.').waitFor();
    await page.getByLabel('Expires').selectOption('In a year');
    await page.getByLabel('Allowed networks').fill('203.0.113.0/24\neverywhere');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page
      .locator('.field', { has: page.getByLabel('Allowed networks') })
      .getByText('Line 2:')
      .waitFor();
  });

  it('is created once, even if the answer was lost and the button pressed again', async () => {
    const { page, expectedConsoleErrors } = await visit('/keys', { ...clipboard, as: demo });
    expectedConsoleErrors.add('ERR_CONNECTION_RESET');
    await openKeys(page);
    await page.route(
      '**/v1/settings/api-keys',
      async (route) => {
        await route.fetch();
        await route.abort('connectionreset');
      },
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name').fill('Asked for twice');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog').getByText('The service cannot be reached').waitFor();
    await page.getByRole('button', { name: 'Create key' }).click();
    expect(await callWith(await takeSecret(page))).not.toBe(401);
    await row(page, 'Asked for twice').first().waitFor();
    expect(await row(page, 'Asked for twice').count()).toBe(1);
  });

  it('shows when and from where it was used, and how much', async () => {
    const { page } = await visit('/keys', { ...clipboard, as: demo });
    await openKeys(page);
    const secret = await createKey(page, 'Used and counted');
    expect(await callWith(secret)).toBe(200);
    expect(await callWith(secret, '/v1/settings/api-keys')).toBe(403);
    // Uses are recorded in batches, outside of the requests.
    await expect
      .poll(
        async () => {
          await page.reload();
          const details = await openDetails(page, 'Used and counted');
          return details.textContent();
        },
        { interval: 1000 },
      )
      .toMatch(/from 127\.0\.0\.1.*2 requests, 1 error/);
  });

  it('that ends soon says so', async () => {
    const { page } = await visit('/keys', { ...clipboard, as: demo });
    await openKeys(page);
    await createKey(page, 'Ends early');
    await begin(page, 'Ends early', 'Edit');
    await page.getByLabel('Expires').selectOption('On a date…');
    await page.getByLabel('Expiry date').fill(new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10));
    await page.getByRole('button', { name: 'Save' }).click();
    await row(page, 'Ends early').getByText('Ends soon').waitFor();
    await (await openDetails(page, 'Ends early')).getByText('before its callers are refused').waitFor();
  });

  it('loses a scope at once', async () => {
    const { page } = await visit('/keys', { ...clipboard, as: demo });
    await openKeys(page);
    const secret = await createKey(page, 'To be narrowed', { scopes: ['read', 'admin'] });
    expect(await callWith(secret, '/v1/settings/api-keys')).toBe(200);
    await begin(page, 'To be narrowed', 'Scopes');
    await chooseScopes(page, ['read']);
    await page.getByRole('button', { name: 'Save scopes' }).click();
    await announced(page, 'Scopes of To be narrowed saved');
    await row(page, 'To be narrowed').getByText('admin', { exact: true }).waitFor({ state: 'detached' });
    expect(await callWith(secret, '/v1/settings/api-keys')).toBe(403);
  });

  it('is renamed, expires on a day and is restricted to a network', async () => {
    const { page } = await visit('/keys', { ...clipboard, as: demo });
    await openKeys(page);
    const secret = await createKey(page, 'Plain');
    await begin(page, 'Plain', 'Edit');
    await page.getByLabel('Name').fill('Tied down');
    await page.getByLabel('Expires').selectOption('In 30 days');
    await page.getByLabel('Allowed networks').fill('203.0.113.0/24');
    await page.getByRole('button', { name: 'Save' }).click();
    await announced(page, 'Tied down saved');
    await (await openDetails(page, 'Tied down')).getByText('203.0.113.0/24').waitFor();
    expect(await callWith(secret)).toBe(403);
  });

  it('is rotated with an overlap: both keys work', async () => {
    const { page } = await visit('/keys', { ...clipboard, as: demo });
    await openKeys(page);
    const old = await createKey(page, 'To be rotated');
    await begin(page, 'To be rotated', 'Rotate');
    await page.getByLabel('The old key keeps working for').selectOption('1 day');
    await page.getByRole('button', { name: 'Rotate key' }).click();
    const successor = await takeSecret(page);
    expect(successor).not.toBe(old);
    expect([await callWith(old), await callWith(successor)]).toEqual([200, 200]);
    await row(page, 'To be rotated')
      .filter({ hasText: 'Rotating' })
      .getByRole('button', { name: 'To be rotated', exact: true })
      .click();
    await page.getByRole('dialog').getByText(successor.slice(0, 17)).waitFor();
  });

  it('is revoked only after a confirmation, and then refused', async () => {
    const { page } = await visit('/keys', { ...clipboard, as: demo });
    await openKeys(page);
    const secret = await createKey(page, 'To be revoked');
    await begin(page, 'To be revoked', 'Revoke');
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await callWith(secret)).toBe(200);
    await begin(page, 'To be revoked', 'Revoke');
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await announced(page, 'To be revoked revoked');
    expect(await callWith(secret)).toBe(401);
    await page.getByLabel('Which keys').selectOption('Ended');
    await row(page, 'To be revoked').getByText('Revoked', { exact: true }).waitFor();
    expect(
      await row(page, 'To be revoked')
        .getByRole('button', { name: /^Actions on/ })
        .count(),
    ).toBe(0);
  });

  it('that another person has changed meanwhile is not overwritten', async () => {
    const { page, expectedConsoleErrors } = await visit('/keys', { ...clipboard, as: demo });
    expectedConsoleErrors.add(412);
    await openKeys(page);
    const secret = await createKey(page, 'Seen by two');
    await begin(page, 'Seen by two', 'Edit');
    const renamed = await callWith(demo.apiKey, `/v1/settings/api-keys/${secret.slice(0, 17)}`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ pinEnvironment: true }),
    });
    expect(renamed).toBe(200);
    await page.getByLabel('Name').fill('Overwritten');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('The resource has changed').waitFor();
  });

  it('whose grantor has left is taken over by another person, who becomes its grantor', async () => {
    const leaving = await person('admin', 'Leaving Lia');
    const { apiKey, secret } = await api<{ apiKey: { name: string }; secret: string }>(
      'POST',
      '/v1/settings/api-keys',
      { token: leaving.token, body: { name: 'Left behind', environment: 'live', scopes: ['read'] } },
    );
    const owner = await person('owner', 'Staying Stela');
    await api('PATCH', `/v1/users/${leaving.id}`, { token: owner.token, body: { status: 'deactivated' } });
    expect(await callWith(secret)).toBe(403);
    const { page } = await visit('/keys', { as: demo });
    await openKeys(page);
    await row(page, apiKey.name).getByText('Refused').waitFor();
    await begin(page, apiKey.name, 'Take over');
    await page.getByRole('dialog').getByRole('button', { name: 'Take over' }).click();
    await row(page, apiKey.name).getByText('Active').waitFor();
    expect(await callWith(secret)).toBe(200);
    await (await openDetails(page, apiKey.name)).getByText('Ana Souza, as Owner').waitFor();
  });
});

describe('the list', () => {
  it('preserves its filters in the address, which survive a reload', async () => {
    const { page } = await visit('/keys', { ...clipboard, as: demo });
    await openKeys(page);
    await createKey(page, 'Never used at all');
    const listRequest = page.waitForRequest((request) => request.url().includes('unusedSince'));
    await page.getByLabel('Which keys').selectOption('Unused for 90 days');
    const since = new URL((await listRequest).url()).searchParams.get('unusedSince') ?? '';
    expect(Math.round((Date.now() - Date.parse(since)) / 86_400_000)).toBe(90);
    await page.getByLabel('Environment').selectOption('Live');
    await expect.poll(() => new URL(page.url()).search).toBe('?view=unused&environment=live');
    await row(page, 'Never used at all').waitFor();
    await page.reload();
    await row(page, 'Never used at all').waitFor();
    expect(await page.getByLabel('Environment').inputValue()).toBe('live');
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('');
  });
});
