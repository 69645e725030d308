/**
 * Expectations that something appears or disappears. Used by all browser tests, because a mere wait is no expectation.
 */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

type Patience = Parameters<Locator['waitFor']>[0];

/**
 * Expects that the page shows an element eventually. The runner does not count a wait of Playwright as an expectation,
 * so tests whose outcome is the appearance use this.
 */
export async function shown(what: Locator, patience?: Patience): Promise<void> {
  await expect(what.waitFor(patience), `shows ${what}`).resolves.toBeUndefined();
}

/** Expects that the page eventually no longer shows an element. */
export async function gone(what: Locator): Promise<void> {
  await expect(what.waitFor({ state: 'hidden' }), `no longer shows ${what}`).resolves.toBeUndefined();
}

/** Expects that the page arrives at this address. */
export async function ledTo(page: Page, url: Parameters<Page['waitForURL']>[0]): Promise<void> {
  await expect(page.waitForURL(url), `leads to ${String(url)}`).resolves.toBeUndefined();
}
