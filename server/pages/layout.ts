import { html, type Html } from '../base/html.ts';

interface DashboardPage {
  readonly path: string;
  readonly name: string;
  readonly description: string;
}

/**
 * The addresses of the dashboard. All of them answer the same document: what signs a user in lives in its memory, so
 * going from one page to the next must not leave it.
 */
export const DASHBOARD_PAGES: readonly DashboardPage[] = [
  { path: '/sign-in', name: 'Dashboard', description: 'Sign in to the dashboard.' },
  { path: '/invitation', name: 'Accept your invitation', description: 'Join a tenant with the link from your invitation.' },
  { path: '/forgot', name: 'Forgotten password', description: 'Ask for a link to choose a new password.' },
  { path: '/reset', name: 'Choose a new password', description: 'Choose a new password with the link from the mail.' },
  { path: '/onboarding', name: 'Onboarding', description: 'What is left to do before a tenant goes live.' },
  { path: '/keys', name: 'API keys', description: 'Create, narrow, rotate and revoke API keys.' },
  { path: '/team', name: 'Team', description: 'Invite colleagues, give them roles, and help them when they are locked out.' },
  { path: '/audit', name: 'Audit log', description: 'Search what was done, and prove that nothing was changed afterwards.' },
  { path: '/funds-recovery', name: 'Funds recovery', description: 'Watch recoveries of funds unfold, and play them through in the sandbox.' },
  { path: '/sandbox', name: 'Sandbox', description: 'Switch the sandbox, see who lives in it, and let time pass.' },
  { path: '/settings', name: 'Settings', description: 'Branding, decisions, beneficial owners, screening, retention, sign-in and queues.' },
  { path: '/account', name: 'Account', description: 'Your second factor, your password and your sessions.' },
  { path: '/tenants', name: 'Tenants', description: 'The tenants of the platform.' },
];

const STYLES = ['site.css', 'forms.css', 'dialog.css', 'dashboard.css', 'pages.css', 'recovery.css'];

/** The frame of the dashboard; everything in it is made by its script, from the same API that customers call. */
export function dashboardPage({ path, name, description }: DashboardPage, { demo, outbox }: { readonly demo: boolean; readonly outbox: boolean }): Page {
  return {
    title: `${name} · Compliance Onboarding API`,
    description,
    path,
    styles: STYLES,
    scripts: ['app/main.js'],
    body: html`<main id="main" tabindex="-1" class="wrap" data-demo="${String(demo)}"${outbox ? html` data-outbox="/outbox"` : null}>
<h1 tabindex="-1">${name}</h1>
<noscript><p class="notice warning">This page needs JavaScript. Everything it does can also be done with the API: see <a href="/reference">the reference</a>.</p></noscript>
<div id="app"></div>
<div id="announcer" class="visually-hidden" role="status"></div>
</main>`,
  };
}

export interface Page {
  readonly title: string;
  readonly description: string;
  /** The path of the page, to mark it in the navigation. */
  readonly path: string;
  readonly styles: readonly string[];
  /** A script that is not ours; it runs before our modules. */
  readonly library?: string;
  readonly scripts?: readonly string[];
  readonly body: Html;
}

const NAVIGATION = [
  ['/reference', 'Reference'],
  ['/explorer', 'Explorer'],
  ['/sign-in', 'Dashboard'],
  ['/problems', 'Errors'],
] as const;

/** The frame that all our own pages share. */
export function layout(assets: string, page: Page): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title}</title>
<meta name="description" content="${page.description}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${['frame.css', ...page.styles].map((name) => html`<link rel="stylesheet" href="${assets}/${name}">\n`)}${
  (page.library === undefined ? null : html`<script defer src="${page.library}"></script>\n`)}${
  (page.scripts ?? []).map((name) => html`<script type="module" src="${assets}/${name}"></script>\n`)}</head>
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
<nav aria-label="Pages"><ul>${NAVIGATION.map(([path, name]) => html`
<li><a href="${path}"${isUnder(here, path) ? html` aria-current="page"` : null}>${name}</a></li>`)}
</ul></nav>
</div>
</header>`;
}

/** Whichever page of the dashboard it is, it is the dashboard. */
function isUnder(path: string, parent: string): boolean {
  if (parent === '/sign-in') return DASHBOARD_PAGES.some((place) => place.path === path);
  return path === parent || path.startsWith(`${parent}/`);
}
