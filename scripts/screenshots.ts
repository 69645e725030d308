/**
 * `make screenshots`: photographs every page in two sizes and two colour schemes, and measures how soon it can be used.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { type DemoCredentials, readDemo } from '../server/demo/credentials.ts';
import { CHROMIUM } from './chromium.ts';
import { buildDashboard } from './dashboard.ts';
import { readOptions } from './options.ts';
import { type LiveService, startLiveService } from './test/live-service.ts';

const HELP = `Take a picture of every page in four variants (1280 × 800 and 390 × 844, light and dark) into
build/screenshots, and print after how many milliseconds each page could be used in a browser without a cache.

Usage: npx node scripts/screenshots.ts [options]
  --only TEXT   only the pages whose path contains the text
  --help        this text

A service of its own is started on an empty data directory and fed through its API. CHROMIUM names the browser.
Exit status: 0 taken, 1 a page did not appear, 2 wrong options.`;

const FOLDER = join(import.meta.dirname, '../build/screenshots');

/**
 * Public pages, and pages of the owner of the demo tenant. A name in braces stands for the id of a record of that kind
 * that this script has created or found.
 */
const PUBLIC = [
  '/',
  '/reference',
  '/explorer',
  '/guides',
  '/guides/onboarding-a-person',
  '/problems',
  '/problems/validation_failed',
  '/outbox',
  '/sign-in',
  '/forgot',
];
const INSIDE = [
  '/applications',
  '/applications/new',
  '/applications/{application}',
  '/cases',
  '/cases/{case}',
  '/risk',
  '/risk/models/{model}',
  '/risk/lists/{list}',
  '/risk/assessments/{assessment}',
  '/funds-recovery',
  '/onboarding',
  '/team',
  '/audit',
  '/settings',
  '/keys',
  '/sandbox',
  '/account',
];

const SIZES = {
  wide: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} satisfies Record<string, BrowserContextOptions>;
const SCHEMES = ['light', 'dark'] as const;

/** Waits until the page has a heading and nothing is still loading. */
async function shown(page: Page): Promise<void> {
  await page.locator('h1:visible').first().waitFor();
  await page.waitForFunction(() => document.querySelector('.loading') === null);
}

async function main(only: string): Promise<void> {
  await buildDashboard({ onlyIfChanged: true });
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const service = await startLiveService('screenshots');
  try {
    const browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--headless', '--no-sandbox', '--disable-gpu'],
    });
    try {
      await visitAll(browser, service, only);
    } finally {
      await browser.close();
    }
  } finally {
    await service.stop();
  }
}

async function visitAll(browser: Browser, service: LiveService, only: string): Promise<void> {
  const demo = readDemo(service.dataDir);
  if (demo === null) throw new Error('the service wrote no demo.json');
  const ids = await furnish(service.baseUrl, demo);
  const inside = INSIDE.map((path) => path.replace(/\{(\w+)\}/, (_, kind: string) => ids[kind] ?? ''));
  for (const [size, shape] of Object.entries(SIZES)) {
    for (const colorScheme of SCHEMES) {
      const context = await browser.newContext({
        baseURL: service.baseUrl,
        locale: 'en-GB',
        reducedMotion: 'reduce',
        colorScheme,
        ...shape,
      });
      const page = await context.newPage();
      await page.goto('/sign-in');
      const variant = `${size}-${colorScheme}`;
      for (const path of PUBLIC.filter((one) => one.includes(only))) await take(page, path, variant);
      await signIn(page, demo);
      for (const path of inside.filter((one) => one.includes(only))) await take(page, path, variant);
      await context.close();
    }
  }
}

/** Loads the page with an empty cache, so that the time is that of a first visit. */
async function take(page: Page, path: string, variant: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  await page.goto(path, { waitUntil: 'commit' });
  await shown(page);
  const ready = await page.evaluate(() => Math.round(performance.now()));
  // Parts that the page does not wait for, such as the account menu, appear a moment later.
  await page.waitForLoadState('networkidle');
  const name =
    path === '/'
      ? 'landing'
      : path
          .slice(1)
          .replaceAll('/', '-')
          .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, 'one');
  await page.screenshot({ path: join(FOLDER, `${name}-${variant}.png`) });
  console.log(`${variant.padEnd(12)} ${String(ready).padStart(6)} ms  ${path}`);
  await session.detach();
}

async function signIn(page: Page, { email, password }: DemoCredentials): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('E-mail', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.shell').waitFor();
}

/** Creates a few records, so that lists are not empty; returns the ids of the records to photograph, by their kind. */
async function furnish(
  baseUrl: string,
  { apiKey }: DemoCredentials,
): Promise<Readonly<Record<string, string | undefined>>> {
  const call = async <T = { readonly id: string }>(path: string, body?: object): Promise<T> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const person = {
    fullName: 'Maria da Silva',
    dateOfBirth: '1990-04-12',
    taxId: { type: 'cpf', value: '52998224725' },
    email: 'maria@example.com',
  };
  const { id: application } = await call('/v1/applications', {
    purpose: 'account_opening',
    level: 'standard',
    externalId: 'cust-8841',
    applicant: person,
  });
  for (const fullName of ['João Pereira', 'Ana Souza', 'Carlos Lima'])
    await call('/v1/applications', { purpose: 'account_opening', applicant: { fullName } });
  const { id: reviewed } = await call('/v1/applications', {
    purpose: 'account_opening',
    level: 'basic',
    submit: true,
    applicant: { ...person, fullName: 'Rosalva Nunes', taxId: { type: 'cpf', value: '11144477735' } },
  });
  const { id: assessment } = await call('/v1/risk/assessments', { applicationId: reviewed });
  const { id: reviewCase } = await call('/v1/cases', { type: 'ad_hoc', applicationId: reviewed, queue: 'high' });
  type Found = { readonly items: readonly { readonly id: string }[] };
  const models = await call<Found>('/v1/risk/models?status=active&subjectType=individual');
  const lists = await call<Found>('/v1/risk/lists');
  return {
    application,
    assessment,
    case: reviewCase,
    model: models.items[0]?.id,
    list: lists.items[0]?.id,
  };
}

const { values } = readOptions({
  options: { only: { type: 'string', default: '' }, help: { type: 'boolean', default: false } },
});
if (values.help) console.log(HELP);
else await main(values.only);
