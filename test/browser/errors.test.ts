/** Browser tests of the pages about error codes and unknown addresses. */
import { describe, expect, it } from 'vitest';
import { findingsInBothColours, scrollsSideways } from './support/axe.ts';
import { useChromium } from './support/chromium.ts';
import { shown } from './support/shown.ts';

const visit = useChromium();
const SIZES = [
  [1280, 800],
  [390, 844],
] as const;

describe('the page of an error code', () => {
  it('leads to the operation in the reference, with the keyboard alone', async () => {
    const { page } = await visit('/problems/requirements_missing', { viewport: { width: 1280, height: 800 } });
    await page.getByRole('link', { name: 'Submit an application' }).focus();
    await page.keyboard.press('Enter');
    await shown(page.getByRole('heading', { name: 'Submit an application' }).first());
  });

  it('shows an example of the code and the class that each SDK has for it', async () => {
    const { page } = await visit('/problems/requirements_missing');
    expect(JSON.parse((await page.locator('.code code').textContent()) ?? '')).toMatchObject({
      code: 'requirements_missing',
      status: 422,
      items: [{ key: 'id_document' }],
    });
    await page.getByText('errors.RequirementsMissingError').waitFor();
  });

  it('unfolds the operations if there are many', async () => {
    const { page } = await visit('/problems/rate_limited');
    await page.locator('summary').focus();
    await page.keyboard.press('Enter');
    await shown(page.getByRole('link', { name: 'List applications' }));
  });

  it.each(SIZES)('fits %d by %d and has no serious accessibility finding in either colours', async (width, height) => {
    for (const path of ['/problems/requirements_missing', '/problems/rate_limited']) {
      const { page } = await visit(path, { viewport: { width, height } });
      expect(await scrollsSideways(page), path).toBe(false);
      expect(await findingsInBothColours(page), path).toEqual([]);
    }
  });
});

describe('a code that is a link', () => {
  it('has its underline below its underscores', async () => {
    const { page } = await visit('/problems');
    const [offset, size] = await page
      .locator('.problems a')
      .first()
      .evaluate((link) => {
        const style = getComputedStyle(link);
        const below = getComputedStyle(link.firstElementChild!);
        return [parseFloat(style.textUnderlineOffset), parseFloat(below.fontSize)];
      });
    // An underscore lies within a quarter of the font size below the base line.
    expect(offset! / size!).toBeGreaterThan(0.3);
  });
});

describe.each(SIZES)('an unknown address, at %d by %d', (width, height) => {
  it.each(['/nowhere', '/v1/nowhere'])('%s says so in words and leads on', async (path) => {
    const { page, expectedConsoleErrors } = await visit('/problems', { viewport: { width, height } });
    expectedConsoleErrors.add(404);
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await scrollsSideways(page)).toBe(false);
    expect(await findingsInBothColours(page)).toEqual([]);
    await page.getByRole('main').getByRole('link', { name: 'Guides' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Guides', level: 1 }).waitFor();
  });
});

describe('the header of the pages', () => {
  it.each([1280, 390, 360])('shows all its links in one row at %d', async (width) => {
    const { page } = await visit('/problems', { viewport: { width, height: 800 } });
    const tops = await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().top));
    expect(tops).toHaveLength(5);
    expect(new Set(tops).size).toBe(1);
  });
});
