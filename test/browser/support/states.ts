/** Tests each state of a page for accessibility, on a desktop and a phone. Called by the test file of each page. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { findingsInBothColours, findingsOnNarrower, scrollsSideways } from './axe.ts';
import { PHONE } from './chromium.ts';
import type { useChromium } from './chromium.ts';
import type { Credentials } from './sign-in.ts';

export interface State {
  readonly name: string;
  readonly path: string;
  readonly reach: (page: Page) => Promise<void>;
  /** Returns the user who has signed in before; called when the test begins, because it may have to create the user. */
  readonly as?: () => Credentials;
  /** Statuses of expected refusals on the way. */
  readonly refusals?: readonly number[];
}

/** Tests each state of a page in both colour schemes on a desktop, and then for what a phone shows otherwise. */
export function examineStates(visit: ReturnType<typeof useChromium>, states: readonly State[]): void {
  it.each(states)(
    '$name has no serious accessibility finding, in light and in dark colours, and fits a phone',
    async ({ path, reach, as, refusals = [] }) => {
      const { page, expectedConsoleErrors } = await visit(path, { ...(as && { as: as() }) });
      refusals.forEach((status) => expectedConsoleErrors.add(status));
      await reach(page);
      expect(await findingsInBothColours(page)).toEqual([]);
      await page.setViewportSize(PHONE.viewport);
      expect(await findingsOnNarrower(page)).toEqual([]);
      expect(await scrollsSideways(page)).toBe(false);
    },
  );
}
