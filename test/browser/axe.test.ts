/** Tests of our use of axe, the accessibility checker of the browser tests. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { findingsInBothColours, findingsOnNarrower } from './support/axe.ts';
import { PHONE, useChromium } from './support/chromium.ts';

const visit = useChromium();

/** Adds words to the page, with style rules for a wide and a narrow screen. */
async function add(
  page: Page,
  { desk = '', phone = '' }: { readonly desk?: string; readonly phone?: string },
): Promise<void> {
  await page.evaluate((rules) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    const words = document.createElement('p');
    words.id = 'added';
    words.textContent = 'Words that somebody reads';
    document.querySelector('main')?.append(words);
  }, `#added { background: #fff; color: #000; ${desk} } @media (max-width: 500px) { #added { ${phone} } }`);
}

const PALE = 'color: #ccc;';
const SOUND = 'the page is sound before anything is added';

it.each<[string, { desk?: string; phone?: string }]>([
  ['in sight there alone', { desk: 'display: none;', phone: `display: block; ${PALE}` }],
  ['paler there', { phone: PALE }],
  ['on another ground there', { phone: 'background: #222;' }],
])('axe finds on a phone what is %s', async (_, rules) => {
  const { page } = await visit('/problems/invalid_cursor');
  await add(page, rules);
  expect(await findingsInBothColours(page), SOUND).toEqual([]);
  await page.setViewportSize(PHONE.viewport);
  expect(await findingsOnNarrower(page)).toEqual(
    ['dark', 'light'].map((scheme) => expect.stringMatching(`^${scheme}: color-contrast: <p id="added">`)),
  );
});

it('axe finds on a phone regions that scroll there and cannot be reached by keyboard', async () => {
  const { page } = await visit('/problems/invalid_cursor');
  await add(page, { phone: 'overflow-y: scroll; height: 1.2em; width: 5em;' });
  expect(await findingsInBothColours(page), SOUND).toEqual([]);
  await page.setViewportSize(PHONE.viewport);
  expect(await findingsOnNarrower(page)).toEqual([
    expect.stringMatching('^light: scrollable-region-focusable: <p id="added">'),
  ]);
});

it('axe judges in a document that was judged before what was added since, and what reads otherwise', async () => {
  const { page } = await visit('/problems/invalid_cursor');
  expect(await findingsInBothColours(page), SOUND).toEqual([]);
  await add(page, { desk: PALE });
  expect(await findingsInBothColours(page)).toHaveLength(2);
  expect(await findingsInBothColours(page), 'what was told is not told again').toEqual([]);
  await page.locator('#added').evaluate((words) => {
    words.setAttribute('role', 'button');
    words.textContent = '';
  });
  expect(await findingsInBothColours(page)).toEqual([expect.stringMatching('^dark: aria-command-name: ')]);
});
