/** Browser tests of the guides. */
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { each } from '../support/each.ts';
import { findingsInBothColours, scrollsSideways } from './support/axe.ts';
import { PHONE, useChromium } from './support/chromium.ts';
import { baseUrl } from './support/service.ts';
import { ledTo, shown } from './support/shown.ts';

const visit = useChromium();
const GUIDES = globSync(join(import.meta.dirname, '../../docs/guides/*.md'))
  .map((file) => basename(file, '.md'))
  .filter((name) => name !== 'README');

describe('the guides', () => {
  it('are all listed beside the text, and have no dead links', async () => {
    const { page } = await visit('/guides');
    const links = await page
      .getByRole('navigation', { name: 'Guides' })
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links.toSorted()).toEqual(['/guides', ...GUIDES.map((name) => `/guides/${name}`)].toSorted());
    for (const path of links) expect(await deadEnds(page, path!), path!).toEqual([]);
  });

  it('fit a phone, all of them', async () => {
    const { page } = await visit('/guides', PHONE);
    for (const name of each(GUIDES)) {
      await page.goto(`/guides/${name}`);
      expect(await scrollsSideways(page), name).toBe(false);
    }
  });

  // These guides have long tables, a list of contents, and programs with their output.
  it.each(['contract-dialect', 'developers', 'errors'])(
    '%s has no serious accessibility finding, in light and in dark colours',
    async (name) => {
      const { page } = await visit(`/guides/${name}`, { viewport: { width: 390, height: 844 } });
      expect(await findingsInBothColours(page)).toEqual([]);
    },
  );

  it('are searched with the keyboard alone, without a script, and each hit is one step away', async () => {
    const { page } = await visit('/guides', { viewport: { width: 1280, height: 800 }, javaScriptEnabled: false });
    await page.getByLabel('Search the guides').focus();
    await page.keyboard.type('cursor filters');
    await page.keyboard.press('Enter');
    await shown(page.getByRole('heading', { name: '“cursor filters” in the guides' }));
    await page.locator('.hits a[href^="/guides/pagination"]').first().focus();
    await page.keyboard.press('Enter');
    await ledTo(page, '**/guides/pagination**');
  });

  it('say so if nothing is found, and preserve the search', async () => {
    const { page } = await visit('/guides?q=%3Cb%3Eunheard%22of');
    await page.getByRole('heading', { name: 'Nothing about “<b>unheard"of”' }).waitFor();
    expect(await page.getByLabel('Search the guides').inputValue()).toBe('<b>unheard"of');
  });

  it('have a search button on a phone', async () => {
    const { page } = await visit('/guides', PHONE);
    await page.getByLabel('Search the guides').fill('idempotency');
    await page.getByRole('button', { name: 'Search' }).tap();
    await shown(page.getByText('the best first'));
  });

  it('lead from their contents to the heading', async () => {
    const { page } = await visit('/guides/operators', { viewport: { width: 1280, height: 800 } });
    const entry = page.getByRole('navigation', { name: 'On this page' }).getByRole('link').last();
    await entry.focus();
    await page.keyboard.press('Enter');
    const id = new URL(page.url()).hash.slice(1);
    await expect
      .poll(() =>
        page.evaluate((name) => {
          const top = document.getElementById(name)?.getBoundingClientRect().top ?? Infinity;
          return top >= 0 && top < innerHeight;
        }, id),
      )
      .toBe(true);
  });
});

describe.each([
  [1280, 800],
  [390, 844],
])('the code of a guide at %d by %d', (width, height) => {
  it('has a button that copies it and covers none of it', async () => {
    const { page } = await visit('/guides/pagination', {
      viewport: { width, height },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const figure = page.locator('.code figure').first();
    const [button, code] = await Promise.all([
      figure.getByRole('button').boundingBox(),
      figure.locator('pre').boundingBox(),
    ]);
    expect(button!.y + button!.height).toBeLessThanOrEqual(code!.y);
    await figure.getByRole('button', { name: 'Copy' }).focus();
    await page.keyboard.press('Enter');
    await figure.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await figure.locator('code').textContent());
  });
});

/** Returns the links of a page whose page or heading does not exist. */
async function deadEnds(page: Page, path: string): Promise<string[]> {
  await page.goto(path);
  const links = await page
    .locator('main a')
    .evaluateAll((all) => [...new Set(all.map((link) => (link as HTMLAnchorElement).href))]);
  const dead: string[] = [];
  for (const link of links.filter((one) => one.startsWith(new URL(page.url()).origin))) {
    const { pathname, hash } = new URL(link);
    const response = await fetch(baseUrl + pathname, { headers: { Accept: 'text/html' } });
    if (
      !response.ok ||
      (hash !== '' &&
        pathname.startsWith('/guides') &&
        !(await response.text()).includes(`id="${decodeURIComponent(hash.slice(1))}"`))
    )
      dead.push(link);
  }
  return dead;
}
