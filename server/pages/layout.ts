/**
 * The frame of every page that the service renders itself, apart from the dashboard: head, navigation and footer. Used
 * by router.ts and all those pages. A file that is named but is not among the assets does not load.
 */
import { html, type Html } from '../base/html.ts';

export interface Page {
  readonly title: string;
  readonly description: string;
  /** Path of the page, which is marked in the navigation. */
  readonly path: string;
  readonly styles: readonly string[];
  /** A third-party script that runs before our modules. */
  readonly library?: string;
  readonly scripts?: readonly string[];
  readonly body: Html;
}

const NAVIGATION = [
  ['/reference', 'Reference'],
  ['/explorer', 'Explorer'],
  ['/guides', 'Guides'],
  ['/sign-in', 'Dashboard'],
  ['/problems', 'Errors'],
] as const;

/** Renders the frame of all our own pages. */
export function layout(assets: string, page: Page): Html {
  const styles = ['colours.css', 'frame.css', ...page.styles];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title}</title>
<meta name="description" content="${page.description}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${styles.map((name) => html`<link rel="stylesheet" href="${assets}/${name}">\n`)}${
  page.library === undefined ? null : html`<script defer src="${page.library}"></script>\n`
}${(page.scripts ?? []).map((name) => html`<script type="module" src="${assets}/${name}"></script>\n`)}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${siteHeader(page.path)}
${page.body}
</body>
</html>
`;
}

export function siteHeader(here: string): Html {
  return html`<header class="site-header">
<div class="wrap">
<a class="brand" href="/"><img src="/favicon.svg" alt="" width="28" height="28"><span>Compliance Onboarding</span></a>
<nav aria-label="Pages"><ul>${NAVIGATION.map(
    ([path, name]) => html`
<li><a href="${path}"${isUnder(here, path) ? html` aria-current="page"` : null}>${name}</a></li>`,
  )}
</ul></nav>
</div>
</header>`;
}

function isUnder(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`);
}
