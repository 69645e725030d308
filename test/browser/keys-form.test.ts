/** Browser tests of the form of a new API key. */
import { describe, expect, it } from 'vitest';
import { each } from '../support/each.ts';
import { useChromium } from './support/chromium.ts';
import { openKeys, row, takeSecret } from './support/keys-page.ts';
import { person } from './support/people.ts';
import { baseUrl, demo } from './support/service.ts';

const visit = useChromium();
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };

describe('the form of a new key', () => {
  it('has its buttons in sight, on a small screen too', async () => {
    const { page } = await visit('/keys', { as: demo });
    await openKeys(page);
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(viewport);
      await page.getByRole('button', { name: 'Create a key' }).click();
      const { top, bottom } = await page
        .getByRole('button', { name: 'Create key' })
        .evaluate((button) => button.getBoundingClientRect());
      expect(top).toBeGreaterThan(0);
      expect(bottom).toBeLessThanOrEqual(viewport.height);
      await page.getByRole('button', { name: 'Cancel' }).click();
    }
  });

  it('offers every scope of the contract', async () => {
    const { page } = await visit('/keys', { as: demo });
    await openKeys(page);
    await page.getByRole('button', { name: 'Create a key' }).click();
    const contract = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as {
      readonly components: {
        readonly securitySchemes: {
          readonly oauth2: {
            readonly flows: { readonly clientCredentials: { readonly scopes: Readonly<Record<string, string>> } };
          };
        };
      };
    };
    for (const scope of each(Object.keys(contract.components.securitySchemes.oauth2.flows.clientCredentials.scopes))) {
      expect(await page.getByRole('checkbox', { name: new RegExp(`^${scope}`) }).count(), scope).toBe(1);
    }
  });

  it('offers a developer what developers can grant: test keys, without administration or persons in full', async () => {
    const { page } = await visit('/keys', clipboard);
    await openKeys(page, await person('developer', 'Dev Duda'));
    await page.getByRole('button', { name: 'Create a key' }).click();
    expect(await page.getByRole('radio', { name: 'Live' }).count()).toBe(0);
    expect(await page.getByRole('checkbox', { name: /^admin/ }).count()).toBe(0);
    expect(await page.getByRole('checkbox', { name: 'Show persons in full' }).count()).toBe(0);
    await page.getByLabel('Name').fill('Of a developer');
    await page.getByRole('button', { name: 'Create key' }).click();
    await takeSecret(page);
    await page.getByRole('button', { name: 'Actions on Of a developer' }).click();
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Revoke']);
    await page.keyboard.press('Escape');
    expect(
      await row(page, 'Demo live key')
        .getByRole('button', { name: /^Actions/ })
        .count(),
    ).toBe(0);
  });
});
