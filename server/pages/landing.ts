/**
 * The start page of an installation. Used by router.ts; the numbers and samples in it come from the documentation build
 * (scripts/generate/landing.ts), so the page exists only after that build.
 */
import { html, type Html } from '../base/html.ts';
import { code, CODE_SCRIPT, CODE_STYLE } from './code.ts';
import type { Page } from './layout.ts';

/** Data that the documentation build extracts from the contract for this page (`scripts/generate/landing.ts`). */
export interface ContractSummary {
  readonly version: string;
  readonly summary: string;
  readonly operations: number;
  readonly samples: readonly CodeSample[];
}

interface CodeSample {
  readonly label: string;
  readonly source: string;
}

/** Whether the installation has a demo tenant, and whether its mail is in an outbox. */
interface Installation {
  readonly demo: boolean;
  readonly outbox: boolean;
}

/** Where to go from here: path, name and purpose of each page. */
const CARDS = [
  ['/guides', 'Guides', 'The main flow, errors, retries, sandbox, operation: with programs that do what they show.'],
  ['/reference', 'Reference', 'Every operation with its fields, errors and examples. Searchable, in one page.'],
  [
    '/explorer',
    'Explorer',
    'Call this installation from the browser with an API key, a bearer token or client credentials.',
  ],
  ['/problems', 'Errors', 'What each error code means, where it comes from and what to do about it.'],
  ['/applications', 'Applications', 'People who apply: what is missing, their documents, submission to review.'],
  [
    '/funds-recovery',
    'Funds recovery',
    'Play a recovery through and watch its events arrive, from the first to the last.',
  ],
  ['/sandbox', 'Sandbox', 'Invented people, and a clock that you move.'],
  ['/keys', 'API keys', 'Create, narrow, rotate and revoke keys, and see which are used.'],
  ['/onboarding', 'Go live', 'What is left to do before you go live, computed from what is really there.'],
  ['/team', 'Team', 'Invite colleagues, give them roles, end their sessions.'],
  ['/audit', 'Audit log', 'Search what was done, verify the log, download proofs.'],
  ['/settings', 'Settings', 'How your tenant looks, signs in and keeps its data.'],
] as const;

const DOT = html`<span aria-hidden="true"> · </span>`;

export function landingPage(contract: ContractSummary, origin: string, { demo, outbox }: Installation): Page {
  return {
    title: 'Compliance Onboarding API',
    description: contract.summary,
    path: '/',
    styles: ['site.css', CODE_STYLE, 'landing.css'],
    scripts: ['landing.js', CODE_SCRIPT],
    body: html`<main id="main" tabindex="-1">
<section class="hero"><div class="wrap">
<p class="status" id="status" role="status" data-state="asking">
<span class="dot"></span><span data-text>Asking the service…</span></p>
<h1>Onboard people with evidence that lasts</h1>
<p class="lead">${contract.summary} One contract, two SDKs, and a feed of funds-recovery events that loses nothing.</p>
<p class="actions"><a class="button primary" href="/keys">Get an API key</a>
<a class="button" href="/reference">Read the reference</a></p>
<p class="facts">Version ${contract.version}${DOT}${contract.operations} operations${DOT}OpenAPI 3.1 as
<a href="/openapi.yaml">YAML</a> and <a href="/openapi.json">JSON</a>, <a href="/openapi-3.0.json">3.0</a> for
generators of clients</p>
</div></section>
<section class="steps" aria-labelledby="steps"><div class="wrap">
<h2 id="steps">Three steps to the first call</h2>
<ol>
<li>
<h3>Create a key</h3>
<p>Sign in, switch <a href="/sandbox">sandbox mode</a> on, and create a test key under
<a href="/keys">API keys</a> with the scopes <code>read</code> and <code>write</code>. Copy it: it is shown once, and
only ever sees the sandbox.</p>
${demo ? demoHint(outbox) : null}
</li>
<li>
<h3>Put it into your shell</h3>
${code([{ label: 'Shell', source: `export COMPLIANCE_BASE_URL=${origin}\nexport COMPLIANCE_API_KEY=kyc_test_…` }])}
</li>
<li>
<h3>Create an application</h3>
${code(contract.samples)}
</li>
</ol>
</div></section>
<section aria-labelledby="next"><div class="wrap">
<h2 id="next">Where to go next</h2>
<ul class="cards">
${CARDS.map(card)}</ul>
</div></section>
</main>`,
  };
}

function demoHint(outbox: boolean): Html {
  const mail = html` Its mail is not sent: it lies in <a href="/outbox">the outbox</a>.`;
  return html`<p class="hint">This is a demo installation. Its sign-in and two keys were printed when the service
started, and stand in <code>demo.json</code> of its data directory.${outbox ? mail : null}</p>`;
}

function card([href, title, text]: (typeof CARDS)[number]): Html {
  return html`<li><a class="card" href="${href}"><strong>${title}</strong><span>${text}</span></a></li>\n`;
}
