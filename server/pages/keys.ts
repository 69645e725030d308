import { html } from './html.ts';
import type { Page } from './layout.ts';

/** The frame of the API-key page; everything in it is made by its script, from the same API that customers call. */
export function keysPage(demo: boolean): Page {
  return {
    title: 'API keys · Compliance Onboarding API',
    description: 'Create, narrow, rotate and revoke API keys, and switch the sandbox.',
    path: '/keys',
    styles: ['site.css', 'keys.css'],
    scripts: ['keys/main.js'],
    body: html`<main id="main" tabindex="-1" class="wrap" data-demo="${String(demo)}">
<h1>API keys</h1>
<noscript><p class="notice warning">This page needs JavaScript. Everything it does can also be done with the API: see <a href="/reference">the reference</a>.</p></noscript>
<div id="app"></div>
<div id="announcer" class="visually-hidden" role="status"></div>
</main>`,
  };
}
