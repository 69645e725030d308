import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityFindings, scrollsSideways } from './axe.ts';
import { PHONE } from './chromium.ts';
import type { useChromium } from './chromium.ts';

export interface State {
  readonly name: string;
  readonly path: string;
  readonly reach: (page: Page) => Promise<void>;
  /** Statuses of refusals on the way. */
  readonly refusals?: readonly number[];
}

/** Each state of a page is looked at in both colour schemes, and on a phone. */
export function examineStates(visit: ReturnType<typeof useChromium>, states: readonly State[]): void {
  describe.each(states)('$name', ({ path, reach, refusals = [] }) => {
    it('has no serious accessibility finding, in light and in dark colours', async () => {
      const { page, expected } = await visit(path);
      refusals.forEach((status) => expected.add(status));
      await reach(page);
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await accessibilityFindings(page)).toEqual([]);
    });

    it('fits a phone without scrolling sideways', async () => {
      const { page, expected } = await visit(path, PHONE);
      refusals.forEach((status) => expected.add(status));
      await reach(page);
      expect(await scrollsSideways(page)).toBe(false);
    });
  });
}
