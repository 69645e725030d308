/** Browser tests of the API explorer. */
import { describe, expect, it } from 'vitest';
import { findingsInBothColours, scrollsSideways } from './support/axe.ts';
import { PHONE, useChromium } from './support/chromium.ts';
import { openOperation } from './support/explorer-page.ts';

const visit = useChromium();
/** Default options of `visit`. */
const DESKTOP = {} as const;
const NARROW = { ...PHONE, viewport: { width: 390, height: 844 } } as const;

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
