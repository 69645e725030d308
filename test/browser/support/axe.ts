import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const IMPACTS = ['serious', 'critical'];

/** What a style sheet for other colours can change; everything else is the same in both, so it is looked for once. */
const OF_COLOURS: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

/** What axe finds serious or critical, a line for each element, where the system asks for dark colours and where for light ones. */
export async function findingsInBothColours(page: Page): Promise<string[]> {
  const findings: string[] = [];
  for (const [colorScheme, rules] of [['dark', {}], ['light', OF_COLOURS]] as const) {
    await page.emulateMedia({ colorScheme });
    findings.push(...(await accessibilityFindings(page, rules)).map((finding) => `${colorScheme}: ${finding}`));
  }
  return findings;
}

async function accessibilityFindings(page: Page, rules: RunOptions): Promise<string[]> {
  // Colours on their way to others are nobody's choice.
  await page.waitForFunction(() => !document.getAnimations().some((animation) => animation instanceof CSSTransition && animation.playState === 'running'));
  // Evaluated by the debugger, so the policy of the page stays in force; once per document, because reading it takes longer than most pages.
  if (!await page.evaluate(() => 'axe' in globalThis)) await page.evaluate(AXE);
  const { violations } = await page.evaluate(
    (options: RunOptions) => (globalThis as unknown as { axe: { run: (options: RunOptions) => Promise<AxeResults> } }).axe.run(options),
    { resultTypes: ['violations'] as ['violations'], ...rules } satisfies RunOptions,
  );
  return violations
    .filter(({ impact }) => IMPACTS.includes(impact ?? ''))
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`.replaceAll(/\s+/g, ' ')));
}

/** Whether the page is wider than the screen. */
export function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}
