/**
 * Runs the built package in a page and a worker of a browser. Used by package.test.ts, which expects requests to the
 * service alone.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { CHROMIUM } from '../../../../scripts/chromium.ts';
import type { Handler, TestServer } from '../support/server.ts';

interface Outcome {
  readonly results: unknown;
  /** Requests to anyone but the service. */
  readonly strangers: readonly string[];
}

/**
 * Serves the built package and the consumer's scripts beside the service, and takes the tour in a page and in a worker.
 */
export async function inBrowser(dist: string, scripts: string, server: TestServer, service: Handler): Promise<Outcome> {
  server.replies((response, seen, index) => {
    if (seen.path === '/')
      return response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Consumer</title>');
    const [, folder, name] = /^\/(package|scripts)\/([\w.-]+\.js)$/.exec(seen.path) ?? [];
    if (name === undefined) return service(response, seen, index);
    return response
      .writeHead(200, { 'content-type': 'text/javascript' })
      .end(readFileSync(join(folder === 'package' ? dist : scripts, name)));
  });
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    const strangers: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url)) strangers.push(request.url());
    });
    await page.goto(server.url);
    const results: unknown = await page.evaluate(`(async () => ({
      page: await (await import('/scripts/page.js')).tour(),
      worker: await new Promise((resolve, reject) => {
        const worker = new Worker('/scripts/worker.js', { type: 'module' });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
      }),
    }))()`);
    return { results, strangers };
  } finally {
    await browser.close();
  }
}
