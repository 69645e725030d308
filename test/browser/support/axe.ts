/**
 * Finds accessibility faults with axe, in both colour schemes. Used by states.ts and single tests. What was judged
 * before and looks the same is not judged again.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const IMPACTS = ['serious', 'critical'];

/** Rules about what other colours can change; everything else is equal in both schemes, so it is checked once. */
const OF_COLOURS: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

/** Rules about what a narrower screen can break in an element that looks unchanged. */
const OF_LAYOUT: RunOptions = {
  runOnly: {
    type: 'rule',
    values: [
      'scrollable-region-focusable',
      'css-orientation-lock',
      'meta-viewport',
      'target-size',
      'aria-hidden-focus',
    ],
  },
};

type Scheme = 'dark' | 'light';

/**
 * Returns the serious and critical findings of axe, a line for each element, with dark and with light system colours.
 * In a document that was judged before, only elements that were hidden then, or look or read otherwise since, are
 * judged again.
 */
export async function findingsInBothColours(page: Page): Promise<string[]> {
  return [...(await findings(page, 'dark', {})), ...(await findings(page, 'light', OF_COLOURS))];
}

/**
 * Returns the same findings after the screen has become narrower, and findings about what a narrow screen can break in
 * all elements.
 */
export async function findingsOnNarrower(page: Page): Promise<string[]> {
  return [...(await findingsInBothColours(page)), ...(await findings(page, 'light', OF_LAYOUT, 'everything'))];
}

async function findings(
  page: Page,
  colorScheme: Scheme,
  rules: RunOptions,
  extent: Extent = 'what is new',
): Promise<string[]> {
  await page.emulateMedia({ colorScheme });
  // Waits for transitions to end, because intermediate colours are not designed.
  await page.waitForFunction(
    () =>
      !document
        .getAnimations()
        .some((animation) => animation instanceof CSSTransition && animation.playState === 'running'),
  );
  // The debugger evaluates the script, so the policy of the page stays in force; once per document, because parsing
  // takes longer than most pages.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const violations = await page.evaluate(judge, {
    colorScheme,
    extent,
    options: { resultTypes: ['violations'] as ['violations'], ...rules },
  });
  return violations
    .filter(({ impact }) => IMPACTS.includes(impact ?? ''))
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) =>
        `${colorScheme}: ${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`.replaceAll(/\s+/g, ' '),
      ),
    );
}

type Extent = 'what is new' | 'everything';

/**
 * Runs in the page: lets axe judge what looks or reads otherwise than at the last judgement in this scheme, and stores
 * the present look.
 */
async function judge({
  colorScheme,
  extent,
  options,
}: {
  readonly colorScheme: Scheme;
  readonly extent: Extent;
  readonly options: RunOptions;
}): Promise<AxeResults['violations']> {
  const page = globalThis as unknown as {
    axe: { run: (context: object, options: RunOptions) => Promise<AxeResults> };
    looks?: Partial<Record<Scheme, WeakMap<Element, string>>>;
  };
  const before = (page.looks ??= {})[colorScheme];
  const looks = (page.looks[colorScheme] = before ?? new WeakMap<Element, string>());
  const changed = new Set<Element>();
  for (const element of document.querySelectorAll('body, body *')) {
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    const { color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight } = getComputedStyle(element);
    const words = [...element.childNodes].flatMap((node) => (node instanceof Text ? [node.data] : []));
    const attributes = [...element.attributes].map(({ name, value }) => `${name}=${value}`);
    const look = [
      color,
      backgroundColor,
      backgroundImage,
      opacity,
      fontSize,
      fontWeight,
      ...attributes,
      ...words,
    ].join();
    if (looks.get(element) !== look) changed.add(element);
    looks.set(element, look);
  }
  if (before === undefined || extent === 'everything') return (await page.axe.run(document, options)).violations;
  // The contents of a changed element are judged with the element.
  const include = [...changed].filter(({ parentElement }) => parentElement === null || !changed.has(parentElement));
  return include.length === 0 ? [] : (await page.axe.run({ include }, options)).violations;
}

/** Returns whether the page is wider than the screen. */
export function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}
