import { html } from '../html.ts';
import type { Page } from './layout.ts';

interface Place {
  readonly path: string;
  readonly name: string;
  readonly description: string;
}

/**
 * The addresses of the dashboard. All of them answer the same document: what signs a user in lives in its memory, so
 * going from one page to the next must not leave it.
 */
export const PLACES: readonly Place[] = [
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
export function dashboardPage({ path, name, description }: Place, { demo, outbox }: { readonly demo: boolean; readonly outbox: boolean }): Page {
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
