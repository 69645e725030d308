import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { CHROMIUM } from '../../../scripts/chromium.ts';
import { baseUrl } from './service.ts';

/** Nothing that a browser does on its own may look like a request of our pages. */
const FLAGS = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
];

export const DESK = { viewport: { width: 1280, height: 800 } } as const;
export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const;

/** A page under watch: where its requests go, and what its console complains of. */
export interface WatchedPage {
  readonly page: Page;
  /** Failures that the test provokes, a status or a network error; the browser reports each of them on the console. */
  readonly expected: Set<number | string>;
  readonly complaints: string[];
}

/** One browser for a test file. Each page gets a profile of its own and must stay clean until its test ends. */
export function useChromium(): (path: string, options?: BrowserContextOptions) => Promise<WatchedPage> {
  const { origin } = new URL(baseUrl);
  let browser: Browser;
  const open: WatchedPage[] = [];

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    const complaints = open.flatMap((watched) => watched.complaints);
    await Promise.all(open.splice(0).map(({ page }) => page.context().close()));
    expect(complaints, 'requests to other origins, policy violations, console errors').toEqual([]);
  });

  return async (path, options = {}) => {
    const context = await browser.newContext({ baseURL: origin, reducedMotion: 'reduce', ...DESK, ...options });
    // A browser, a service and a database share what may be a small machine.
    context.setDefaultTimeout(30_000);
    const watched: WatchedPage = { page: await context.newPage(), expected: new Set(), complaints: [] };
    open.push(watched);
    watch(watched, origin);
    await watched.page.goto(path);
    return watched;
  };
}

function watch({ page, expected, complaints }: WatchedPage, origin: string): void {
  page.on('request', (request) => {
    const url = new URL(request.url());
    // What is inside the document itself asks nobody.
    if (!['data:', 'blob:'].includes(url.protocol) && url.origin !== origin) complaints.push(`request to ${url.href}`);
  });
  page.on('websocket', (socket) => complaints.push(`socket to ${socket.url()}`));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    const [, status, failure] = /^Failed to load resource: (?:the server responded with a status of (\d{3})|net::(\w+))/.exec(message.text()) ?? [];
    if (expected.has(Number(status)) || expected.has(failure ?? '')) return;
    if (['error', 'warning'].includes(message.type())) complaints.push(`console ${message.type()}: ${message.text()}`);
  });
}
