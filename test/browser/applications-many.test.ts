/** Browser test of the list of applications with a hundred thousand of them. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { application, complete, enter } from './support/applications.ts';
import { useChromium } from './support/chromium.ts';

const visit = useChromium();

function rows(page: Page) {
  return page.getByRole('table', { name: 'Applications' }).locator('tbody tr');
}

describe('a hundred thousand applications', () => {
  const ALL = 100_000;
  const ON_A_PAGE = 5_000;
  /** Several times the rows that fit into a window, but far fewer than those of one page. */
  const MOST_ROWS = 80;

  /** Answers the list with larger pages than the service does, so that the test need not load a thousand of them. */
  async function serveMany(page: Page): Promise<void> {
    const record = await application({}, complete());
    await page.route('**/v1/applications?*', async (route) => {
      const start = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
      const items = Array.from({ length: ON_A_PAGE }, (_, place) => ({
        ...record,
        id: `0197f2c4-0000-7000-8000-${String(start + place).padStart(12, '0')}`,
        applicant: { ...record.applicant, fullName: `Applicant ${start + place + 1}` },
      }));
      const next = start + ON_A_PAGE;
      await route.fulfill({ json: { items, cursor: next < ALL ? String(next) : null, hasMore: next < ALL } });
    });
  }

  it('keep few rows in the document, and load each page when the user scrolls near the end', {
    timeout: 240_000,
  }, async () => {
    const { page } = await visit('/sign-in');
    await serveMany(page);
    await enter(page);
    const count = async (): Promise<number> =>
      Number(((await page.locator('.list-head [role="status"]').textContent()) ?? '').replaceAll(/\D/g, ''));
    await page.getByText('5,000 loaded, more follow').waitFor();
    while ((await count()) < ALL) {
      const before = await count();
      await page.evaluate(() => window.scrollTo({ top: document.documentElement.scrollHeight }));
      await expect.poll(count, { timeout: 60_000 }).toBeGreaterThan(before);
    }
    await page.getByText('100,000 in all').waitFor();
    await page.evaluate(() => window.scrollTo({ top: document.documentElement.scrollHeight }));
    await page.getByRole('link', { name: 'Applicant 100000', exact: true }).waitFor();
    expect(await rows(page).count()).toBeLessThan(MOST_ROWS);
    expect(await mostRowsWhileScrolling(page)).toBeLessThan(MOST_ROWS);
  });
});

/**
 * Scrolls down from the top, one step per frame and every tenth step a leap, and returns the maximum number of rows in
 * the document.
 */
function mostRowsWhileScrolling(page: Page): Promise<number> {
  return page.evaluate(async () => {
    let most = 0;
    window.scrollTo({ top: 0 });
    for (let step = 1; step <= 120; step++) {
      window.scrollBy({ top: step % 10 === 0 ? document.documentElement.scrollHeight / 14 : 150 });
      await new Promise(requestAnimationFrame);
      most = Math.max(most, document.querySelectorAll('tbody tr').length);
    }
    return most;
  });
}
