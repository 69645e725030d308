/** Browser tests that hold for all pages of the service. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { problems } from '../../server/contract/generated/problems.ts';
import { findingsInBothColours, scrollsSideways } from './support/axe.ts';
import { PHONE, useChromium } from './support/chromium.ts';
import { shown } from './support/shown.ts';

const visit = useChromium();

/** Longest code, whose page is the hardest to fit on a phone. */
const [longestCode = ''] = Object.keys(problems).toSorted((a, b) => b.length - a.length);

interface Subject {
  readonly path: string;
  /** Resolves when the page shows its content. */
  readonly shown: (page: Page) => Promise<void>;
}

const pages: readonly Subject[] = [
  { path: '/', shown: (page) => page.getByText('Ready for requests').waitFor() },
  { path: '/sign-in', shown: (page) => page.getByRole('heading', { name: 'Sign in' }).waitFor() },
  { path: '/forgot', shown: (page) => page.getByRole('button', { name: 'Send the link' }).waitFor() },
  {
    path: '/reset#token=pr_unknown',
    shown: (page) => page.getByRole('button', { name: 'Set the password' }).waitFor(),
  },
  { path: '/invitation', shown: (page) => page.getByRole('heading', { name: 'Open the link again' }).waitFor() },
  { path: '/reference', shown: (page) => page.getByText('Loading...').waitFor({ state: 'hidden' }) },
  { path: '/explorer', shown: (page) => page.getByText('Selected Auth Type').waitFor() },
  { path: '/problems', shown: (page) => page.getByText('The cursor is not valid').waitFor() },
  {
    path: '/problems/invalid_cursor',
    shown: (page) => page.getByRole('heading', { name: 'The cursor is not valid' }).waitFor(),
  },
  { path: `/problems/${longestCode}`, shown: (page) => page.getByText(`/problems/${longestCode}`).waitFor() },
];

describe.each(pages)('$path', ({ path, shown }) => {
  it('shows its content, loads nothing from other hosts, complies with its Content-Security-Policy, and has no serious accessibility finding in light and in dark colours', async () => {
    const { page } = await visit(path);
    await shown(page);
    await page.waitForLoadState('networkidle');
    expect(await findingsInBothColours(page)).toEqual([]);
  });

  it('fits a phone without scrolling sideways', async () => {
    const { page } = await visit(path, PHONE);
    await shown(page);
    expect(await scrollsSideways(page)).toBe(false);
  });
});

describe('the page of errors', () => {
  it('has an entry for every code, which leads to a page of its own', async () => {
    const { page } = await visit('/problems');
    const codes = await page.locator('.problems > div').evaluateAll((rows) => rows.map((row) => row.id));
    expect(codes.toSorted()).toEqual(Object.keys(problems).toSorted());
    for (const code of codes)
      expect(await page.locator(`#${code} a`).first().getAttribute('href')).toBe(`/problems/${code}`);
  });
});

describe.each([
  [1280, 800],
  [390, 844],
])('the landing page at %d by %d', (width, height) => {
  it('shows the whole of its samples, and below them cards that fill every row', async () => {
    const { page } = await visit('/', { viewport: { width, height } });
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      expect(
        await page
          .getByRole('tabpanel')
          .locator('pre')
          .evaluate((code) => [code.scrollWidth - code.clientWidth, code.scrollHeight - code.clientHeight]),
      ).toEqual([0, 0]);
      expect((await page.getByRole('tabpanel').boundingBox())!.height).toBeLessThan(height);
    }
    const boxes = await page
      .locator('.cards > li')
      .evaluateAll((cards) =>
        cards.map((card) => card.getBoundingClientRect()).map(({ right, width: wide }) => ({ right, wide })),
      );
    const grid = await page.locator('.cards').boundingBox();
    expect(boxes.at(-1)!.right).toBeCloseTo(grid!.x + grid!.width, 0);
    for (const { wide } of boxes) expect(wide).toBeCloseTo(boxes[0]!.wide, 0);
  });
});

describe('the landing page', () => {
  it('leads to every other page', async () => {
    const { page } = await visit('/');
    for (const path of [
      '/guides',
      '/reference',
      '/explorer',
      '/sign-in',
      '/applications',
      '/onboarding',
      '/keys',
      '/team',
      '/audit',
      '/settings',
      '/sandbox',
      '/funds-recovery',
      '/problems',
      '/outbox',
      '/openapi.yaml',
      '/openapi.json',
      '/openapi-3.0.json',
    ]) {
      expect(await page.locator(`a[href="${path}"]`).count(), path).toBeGreaterThan(0);
    }
  });

  it('shows the first call for each language behind a tab that the arrow keys reach', async () => {
    const { page } = await visit('/');
    const tabs = page.getByRole('tab');
    await tabs.first().focus();
    await page.keyboard.press('ArrowRight');
    expect(await tabs.nth(1).getAttribute('aria-selected')).toBe('true');
    expect(await page.getByRole('tabpanel').textContent()).toContain('applications.create');
  });

  it('says that the service cannot be reached if it cannot', async () => {
    const { page, expectedConsoleErrors } = await visit('/problems');
    expectedConsoleErrors.add('ERR_FAILED');
    await page.route('**/readyz', (route) => route.abort());
    await page.goto('/');
    await shown(page.getByText('Not reachable'));
  });
});
