/**
 * Starts a browser for a test file, with pages that must stay clean: an unexpected error on the console or a failed
 * request fails the test. Used by all browser tests.
 */
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { CHROMIUM } from '../../../scripts/chromium.ts';
import { LONGEST_WAIT } from '../../../scripts/test/limits.ts';
import { callWith } from './call.ts';
import { baseUrl, demo } from './service.ts';
import { arrived, type Credentials, storedSignIn } from './sign-in.ts';

/** Switches off the browser's own traffic, so that it cannot look like requests of our pages. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  // The camera shows a moving pattern, and every page gets it whose policy allows that.
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const DESK = { viewport: { width: 1280, height: 800 } } as const;
export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const;

/** A monitored page: its requests and its console are recorded. */
export interface WatchedPage {
  readonly page: Page;
  /** Failures that the test provokes, a status or a network error; the browser reports each of them on the console. */
  readonly expectedConsoleErrors: Set<number | string>;
  readonly complaints: Complaint[];
}

interface Complaint {
  readonly text: string;
  /** What failed in loading something, which a test can expect, also after it has happened. */
  readonly failure?: number | string;
}

export interface VisitOptions extends BrowserContextOptions {
  /** User who has signed in with this browser before; for tests that are not about signing in. */
  readonly as?: Credentials;
}

type Visit = (path: string, options?: VisitOptions) => Promise<WatchedPage>;

export interface Chromium extends Visit {
  /**
   * Options for tests that only read and need no profile of their own: the document is loaded once with these options,
   * stays as the test before has left it unless the path names a place in it, and must stay clean as well. It is loaded
   * anew after a failed test.
   */
  readonly kept: Visit;
}

/** Starts one browser for a test file. Each page gets a profile of its own and must stay clean until its test ends. */
export function useChromium(): Chromium {
  const { origin } = new URL(baseUrl);
  let browser: Browser;
  const open: WatchedPage[] = [];
  const reusedPages = new Map<string, WatchedPage>();

  beforeAll(async () => {
    // Every file starts with live records, whatever state the previous file in this worker has left.
    expect(await callWith(demo.apiKey, '/v1/sandbox/disable', { method: 'POST' })).toBe(200);
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  });
  afterAll(() => browser.close());
  afterEach(async ({ task }) => {
    const shown =
      task.result?.state === 'fail' ? await Promise.all([...open, ...reusedPages.values()].map(textOf)) : [];
    const complaints = [...open, ...reusedPages.values()].flatMap(({ complaints: all, expectedConsoleErrors }) =>
      all
        .splice(0)
        .filter(({ failure }) => failure === undefined || !expectedConsoleErrors.has(failure))
        .map(({ text }) => text),
    );
    await Promise.all(open.splice(0).map(({ page }) => page.context().close()));
    if (task.result?.state === 'fail' || complaints.length > 0) {
      await Promise.all([...reusedPages.values()].map(({ page }) => page.context().close()));
      reusedPages.clear();
    }
    for (const { expectedConsoleErrors } of reusedPages.values()) expectedConsoleErrors.clear();
    expect(complaints, 'requests to other origins, policy violations, console errors').toEqual([]);
    // A timeout alone does not say what the page showed instead.
    if (shown.length > 0) throw new Error(shown.join('\n'));
  });

  const load = async (
    path: string,
    { as, ...options }: VisitOptions = {},
    opened: (watched: WatchedPage) => void,
  ): Promise<WatchedPage> => {
    const storageState = as === undefined ? undefined : await storedSignIn(as);
    const context = await browser.newContext({
      baseURL: origin,
      reducedMotion: 'reduce',
      ...DESK,
      ...options,
      ...(storageState && { storageState }),
    });
    // A browser, a service and a database may share a small machine.
    context.setDefaultTimeout(LONGEST_WAIT);
    const watched: WatchedPage = { page: await context.newPage(), expectedConsoleErrors: new Set(), complaints: [] };
    opened(watched);
    watch(watched, origin);
    if (as !== undefined) arrived.set(watched.page, as.email);
    await watched.page.goto(path);
    // A click misses a button that moves, because what is above it is still loading.
    if (as !== undefined)
      await watched.page.waitForFunction(
        () => document.querySelector('main h1') !== null && document.querySelector('.loading') === null,
      );
    return watched;
  };
  const visit: Visit = (path, options) => load(path, options, (watched) => void open.push(watched));
  return Object.assign(visit, {
    kept: async (path: string, options: VisitOptions = {}) => {
      const [document, place] = path.split('#');
      const name = JSON.stringify([document, options]);
      const known = reusedPages.get(name);
      if (known === undefined) return load(path, options, (watched) => void reusedPages.set(name, watched));
      if (place !== undefined)
        await known.page.evaluate((to) => {
          location.hash = to;
        }, place);
      return known;
    },
  });
}

/** Returns the beginning of the page's text, in one line. */
async function textOf({ page }: WatchedPage): Promise<string> {
  const text = await page
    .locator('body')
    .innerText({ timeout: 5_000 })
    .catch(() => '');
  return `${page.url()} showed: ${text.replaceAll(/\s+/g, ' ').slice(0, 1_000)}`;
}

function watch({ page, complaints }: WatchedPage, origin: string): void {
  const complain = (text: string): void => void complaints.push({ text });
  page.on('request', (request) => {
    const url = new URL(request.url());
    // Embedded content sends no requests.
    if (!['data:', 'blob:'].includes(url.protocol) && url.origin !== origin) complain(`request to ${url.href}`);
  });
  page.on('websocket', (socket) => complain(`socket to ${socket.url()}`));
  page.on('pageerror', (error) => complain(error.message));
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return;
    const text = `console ${message.type()}: ${message.text()}`;
    const [, status, failure] =
      /^Failed to load resource: (?:the server responded with a status of (\d{3})|net::(\w+))/.exec(message.text()) ??
      [];
    complaints.push({ text, ...(status && { failure: Number(status) }), ...(failure && { failure }) });
  });
}
