import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityFindings, scrollsSideways } from './support/axe.ts';
import { PHONE, useChromium } from './support/chromium.ts';
import { baseUrl } from './support/service.ts';

const visit = useChromium();

describe('the reference', () => {
  it('lists every operation of the contract', async () => {
    const { page } = await visit('/reference');
    const contract = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as { paths: Record<string, Record<string, { summary?: string; tags?: string[] }>> };
    const operations = Object.values(contract.paths).flatMap((item) => Object.values(item)).filter(({ tags }) => tags !== undefined);
    const menu = page.locator('.menu-content');
    for (const tag of new Set(operations.flatMap(({ tags }) => tags ?? []))) {
      await menu.getByText(tag, { exact: true }).click();
      for (const { summary, tags } of operations) {
        if (tags?.includes(tag)) await menu.getByText(summary ?? '', { exact: true }).first().waitFor();
      }
    }
    expect(operations.length).toBeGreaterThan(0);
  });

  it('finds an operation by a word and leads to it', async () => {
    const { page } = await visit('/reference');
    await page.getByTestId('search-trigger').click();
    await page.keyboard.type('rotate');
    await page.getByText('Rotate an API key').filter({ visible: true }).last().click();
    await page.getByRole('heading', { name: 'Rotate an API key' }).waitFor();
  });

  it('finds an operation without a network once it is open', async () => {
    const { page } = await visit('/reference');
    await page.getByTestId('search-trigger').waitFor();
    await page.context().setOffline(true);
    await page.getByTestId('search-trigger').click();
    await page.keyboard.type('tracking graph');
    await page.getByText('Get the tracking graph').filter({ visible: true }).last().click();
    await page.getByRole('heading', { name: 'Get the tracking graph' }).waitFor();
  });

  it('is led to the operation that an answer names as deprecated', async () => {
    const { page } = await visit('/reference#operation/listInfractionReports');
    await page.getByRole('heading', { name: 'List infraction reports' }).waitFor();
  });

  it('fits an operation with long names on a phone', async () => {
    const { page } = await visit('/reference#operation/advanceRecoveryRun', PHONE);
    await page.getByText('Loading...').waitFor({ state: 'hidden' });
    await page.getByText('client.sandbox').or(page.getByText('/v1/sandbox/funds-recovery/runs')).first().waitFor();
    expect(await scrollsSideways(page)).toBe(false);
  });

  // In a low window the list of languages opens below its edge, where no mouse reaches it; so it does while the page is still moving.
  it.each([['a desktop', 900], ['a low window', 320]])('shows the samples of an operation for curl, TypeScript and Python, on %s', async (_, height) => {
    const { page } = await visit('/reference');
    await page.setViewportSize({ width: 1280, height });
    await openOperation(page);
    await page.getByText('$COMPLIANCE_BASE_URL/v1/applications').first().waitFor();
    for (const [language, call] of [['TypeScript', 'client.applications.create'], ['Python', 'client.applications.create']] as const) {
      await page.getByRole('button', { name: /^(?:curl|TypeScript)$/ }).filter({ visible: true }).first().click();
      await page.getByRole('menuitem', { name: language }).or(page.getByRole('option', { name: language })).first().dispatchEvent('click');
      await page.getByText(call).filter({ visible: true }).first().waitFor();
    }
  });

  it.each(['light', 'dark'] as const)('has no serious accessibility finding with an operation open, in %s colours', async (colorScheme) => {
    const { page } = await visit('/reference', { colorScheme });
    await openOperation(page);
    expect(await accessibilityFindings(page)).toEqual([]);
  });
});

async function openOperation(page: Page): Promise<void> {
  const menu = page.locator('.menu-content');
  await menu.getByText('applications', { exact: true }).click();
  await menu.getByText('Create an application', { exact: true }).click();
  await page.getByRole('heading', { name: 'Create an application' }).waitFor();
}
