import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

type Patience = Parameters<Locator['waitFor']>[0];

/** Expects that the page comes to show this. A wait of Playwright is no expectation to the runner: a test whose outcome is what appears says so by this. */
export async function shown(what: Locator, patience?: Patience): Promise<void> {
  await expect(what.waitFor(patience), `shows ${what}`).resolves.toBeUndefined();
}

/** Expects that the page comes to show this no more. */
export async function gone(what: Locator): Promise<void> {
  await expect(what.waitFor({ state: 'hidden' }), `no longer shows ${what}`).resolves.toBeUndefined();
}

/** Expects that the page comes to this address. */
export async function ledTo(page: Page, url: Parameters<Page['waitForURL']>[0]): Promise<void> {
  await expect(page.waitForURL(url), `leads to ${String(url)}`).resolves.toBeUndefined();
}
