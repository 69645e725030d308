/** Browser tests of the API reference. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findingsInBothColours, scrollsSideways } from './support/axe.ts';
import { PHONE, useChromium } from './support/chromium.ts';
import { baseUrl } from './support/service.ts';
import { ledTo, gone, shown } from './support/shown.ts';

const visit = useChromium();
/** Default options of `visit`. */
const DESKTOP = {} as const;
const NARROW = { ...PHONE, viewport: { width: 390, height: 844 } } as const;
const OPERATION = '/reference#operation/createApplication';

interface Published {
  readonly paths: Record<string, Record<string, { operationId?: string; summary?: string; tags?: string[] }>>;
}

describe('the reference', () => {
  it('lists every operation of the contract under the title of its tag', async () => {
    const { page } = await visit.kept('/reference');
    const contract = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as Published;
    const operations = Object.values(contract.paths)
      .flatMap((item) => Object.values(item))
      .filter(({ tags }) => tags !== undefined);
    const menu = page.locator('.menu-content');
    for (const tag of new Set(operations.flatMap(({ tags }) => tags ?? []))) {
      await menu
        .getByText(TITLES[tag] ?? `${tag.charAt(0).toUpperCase()}${tag.slice(1)}`, { exact: true })
        .last()
        .click();
      const summaries = operations.filter(({ tags }) => tags?.includes(tag)).map(({ summary }) => summary ?? '');
      await page.waitForFunction((wanted) => {
        const shown = new Set(
          [...document.querySelectorAll('.menu-content [data-text]')].map((entry) => entry.textContent),
        );
        return wanted.every((summary) => shown.has(summary));
      }, summaries);
    }
    expect(operations.length).toBeGreaterThan(0);
    expect(await menu.getByText('funds-recovery', { exact: true }).count()).toBe(0);
  });

  it('names the address from which it is served as its server', async () => {
    const { page } = await visit.kept('/reference');
    await page.getByText(baseUrl, { exact: true }).first().waitFor();
    expect(await page.content()).not.toContain('address-of-this-installation');
  });

  it.each([
    ['a desktop', DESKTOP],
    ['a phone', NARROW],
  ])('shows at an operation who may call it and names its credentials in words, on %s', async (_, options) => {
    const { page } = await visit.kept(OPERATION, options);
    await page
      .getByText(
        'Who may call it: API keys and OAuth 2.0 tokens with the scope write. People who are signed in: ' +
          'compliance officer, analyst and owner.',
      )
      .first()
      .waitFor();
    for (const scheme of ['API key', 'OAuth 2.0 token', 'Session of a person'])
      await page.getByText(scheme, { exact: true }).filter({ visible: true }).first().waitFor();
    expect(await page.getByText(/^(?:apiKey|bearerAuth|oauth2)$/).count()).toBe(0);
  });

  it.each([
    ['a desktop', DESKTOP],
    ['a phone', NARROW],
  ])('leads from an operation to the same one in the explorer, on %s', async (_, options) => {
    const { page } = await visit(OPERATION, options);
    const heading = page.getByRole('heading', { name: 'Create an application' });
    await shown(heading);
    await page.locator('a[href$="/explorer#tag/applications/POST/v1/applications"]').first().click();
    await ledTo(page, '**/explorer#tag/applications/POST/v1/applications');
    await shown(heading);
    await shown(page.getByRole('button', { name: /^Test Request ?\(post \/v1\/applications\)$/ }));
  });

  it('links only pages of this service and the home of the program that renders it', async () => {
    const { page } = await visit.kept(OPERATION);
    await page.getByRole('heading', { name: 'Create an application' }).waitFor();
    const hosts = await page
      .locator('a[href]')
      .evaluateAll((links) => [...new Set(links.map((link) => new URL((link as HTMLAnchorElement).href).host))]);
    expect(hosts.toSorted()).toEqual([new URL(baseUrl).host, 'redocly.com'].toSorted());
    for (const way of ['More actions', 'Copy for LLM', 'Open in ChatGPT', 'Open in Claude'])
      expect(await page.getByRole('button', { name: way }).count(), way).toBe(0);
  });

  it('has no buttons over the code, and gives the text more room than the code', async () => {
    const { page } = await visit(OPERATION);
    const code = page.getByText('$COMPLIANCE_BASE_URL/v1/applications').first();
    await code.waitFor();
    const overlapping = await page.evaluate(() => {
      const buttons = [...document.querySelectorAll('[data-component-name="CodeBlock/CodeBlockControls"] button')]
        .map((button) => button.getBoundingClientRect())
        .filter(({ width }) => width > 0);
      const lines = [...document.querySelectorAll('pre, code')]
        .flatMap((block) => [...block.querySelectorAll('span')].map((span) => span.getBoundingClientRect()))
        .filter(({ width }) => width > 0);
      return buttons.filter((button) =>
        lines.some(
          (line) =>
            line.top < button.bottom &&
            line.bottom > button.top &&
            line.left < button.right &&
            line.right > button.left,
        ),
      ).length;
    });
    expect(overlapping).toBe(0);
    const [text, sample] = await Promise.all([
      page.getByTestId('middle-panel').first().boundingBox(),
      page.locator('[data-component-name="CodeBlock/CodeBlock"]').filter({ visible: true }).first().boundingBox(),
    ]);
    expect(text?.width).toBeGreaterThan((sample?.width ?? Infinity) * 1.2);
  });

  it.each([
    ['light', 'rgb(255, 255, 255)', 'rgb(11, 107, 87)'],
    ['dark', 'rgb(20, 29, 26)', 'rgb(98, 210, 178)'],
  ] as const)('has the colours of the site on %s screens', async (colorScheme, surface, accent) => {
    const { page } = await visit(OPERATION, { colorScheme });
    const link = page.getByText('View security details').first();
    await link.waitFor();
    const colours = await link.evaluate((element) => ({
      surface: getComputedStyle(document.querySelector('#redoc > div:last-child') ?? document.body).backgroundColor,
      link: getComputedStyle(element).color,
    }));
    expect(colours).toEqual({ surface, link: accent });
  });

  it('is led to the operation that an answer names as deprecated', async () => {
    const { page } = await visit.kept('/reference#operation/listInfractionReports');
    await shown(page.getByRole('heading', { name: 'List infraction reports' }));
  });

  it('fits an operation with long names on a phone', async () => {
    const { page } = await visit.kept('/reference#operation/advanceRecoveryRun', NARROW);
    await page.getByText('Loading...').waitFor({ state: 'hidden' });
    await page.getByText('client.sandbox').or(page.getByText('/v1/sandbox/funds-recovery/runs')).first().waitFor();
    expect(await scrollsSideways(page)).toBe(false);
  });

  // In a low window the list of languages opens below the edge, where no mouse reaches it; the same happens while the
  // page is still moving.
  it.each([
    ['a desktop', 900],
    ['a low window', 320],
  ])('shows the samples of an operation for curl, TypeScript and Python, on %s', async (_, height) => {
    const { page } = await visit('/reference');
    await page.setViewportSize({ width: 1280, height });
    await openOperation(page);
    await shown(page.getByText('$COMPLIANCE_BASE_URL/v1/applications').first());
    for (const [language, call] of [
      ['TypeScript', 'client.applications.create'],
      ['Python', 'client.applications.create'],
    ] as const) {
      await page
        .getByRole('button', { name: /^(?:curl|TypeScript)$/ })
        .filter({ visible: true })
        .first()
        .click();
      await page
        .getByRole('menuitem', { name: language })
        .or(page.getByRole('option', { name: language }))
        .first()
        .dispatchEvent('click');
      await shown(page.getByText(call).filter({ visible: true }).first());
    }
  });

  it.each([
    ['a desktop', DESKTOP],
    ['a phone', NARROW],
  ] as const)(
    'has no serious accessibility finding with an operation open, in light and in dark colours, on %s',
    async (_, options) => {
      const { page } = await visit.kept(OPERATION, options);
      await page.getByText('$COMPLIANCE_BASE_URL/v1/applications').filter({ visible: true }).first().waitFor();
      expect(await findingsInBothColours(page)).toEqual([]);
      expect(await scrollsSideways(page)).toBe(false);
    },
  );
});

describe('the search of the reference', () => {
  it('opens the first hit by keyboard alone', async () => {
    const { page } = await visit.kept('/reference');
    const trigger = page.getByTestId('search-trigger');
    await trigger.and(page.getByRole('button')).focus();
    await page.keyboard.press('Enter');
    await shown(page.getByLabel('Search the reference'));
    await page.keyboard.type('rotate');
    await page.keyboard.press('Enter');
    await shown(page.getByRole('heading', { name: 'Rotate an API key' }));
    await gone(page.getByLabel('Search the reference'));
  });

  it('shows excerpts with their spaces', async () => {
    const { page } = await visit.kept('/reference');
    await search(page, 'rotate');
    await shown(page.getByText('The person who rotates the key becomes responsible for the successor'));
    await shown(page.getByText('more than 92 days needs a resourceId or a fromSequence'));
    await page.keyboard.press('Escape');
    await gone(page.getByLabel('Search the reference'));
  });

  it('finds an operation without a network once the page is open', async () => {
    const { page } = await visit('/reference');
    await shown(page.getByTestId('search-trigger'));
    await page.context().setOffline(true);
    await page.getByTestId('search-trigger').click();
    await page.getByLabel('Search the reference').pressSequentially('tracking graph');
    await page.getByText('Get the tracking graph').filter({ visible: true }).last().click();
    await shown(page.getByRole('heading', { name: 'Get the tracking graph' }));
  });

  it('has no serious accessibility finding, in light and in dark colours', async () => {
    const { page } = await visit.kept('/reference');
    await search(page, 'rotate');
    await page.getByText('Rotate an API key').filter({ visible: true }).last().waitFor();
    expect(await findingsInBothColours(page)).toEqual([]);
  });
});

/** Titles of tags that are not their names with a capital letter. */
const TITLES: Readonly<Record<string, string>> = {
  oauth: 'OAuth 2.0',
  auth: 'Sign-in',
  admin: 'Platform',
  audit: 'Audit log',
  'funds-recovery': 'Funds recovery',
};

async function search(page: Page, words: string): Promise<void> {
  // By keyboard, because the header may cover the button if another test has scrolled the page.
  await page.getByTestId('search-trigger').and(page.getByRole('button')).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Search the reference').pressSequentially(words);
}

async function openOperation(page: Page): Promise<void> {
  const menu = page.locator('.menu-content');
  await menu.getByText('Applications', { exact: true }).click();
  await menu.getByText('Create an application', { exact: true }).click();
  await page.getByRole('heading', { name: 'Create an application' }).waitFor();
}
