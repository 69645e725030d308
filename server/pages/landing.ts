import { html, type Html } from '../base/html.ts';
import { code, CODE_SCRIPT, CODE_STYLE } from './code.ts';
import type { Page } from './layout.ts';

/** What the landing page takes from the contract, so that it never says anything else. */
interface ContractSummary {
  readonly version: string;
  readonly summary: string;
  readonly operations: number;
  readonly samples: readonly CodeSample[];
}

interface CodeSample {
  readonly label: string;
  readonly source: string;
}

interface ReaderContract {
  readonly info: { readonly version: string; readonly summary?: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string; readonly 'x-codeSamples'?: readonly CodeSample[] }>>>>;
}

const FIRST_CALL = 'createApplication';

export function summaryOf(bytes: Buffer): ContractSummary {
  const contract = JSON.parse(bytes.toString()) as ReaderContract;
  const operations = Object.values(contract.paths).flatMap((item) => Object.values(item)).filter((entry) => entry.operationId !== undefined);
  return {
    version: contract.info.version,
    summary: contract.info.summary ?? '',
    operations: operations.length,
    samples: operations.find(({ operationId }) => operationId === FIRST_CALL)?.['x-codeSamples'] ?? [],
  };
}

export function landingPage(contract: ContractSummary, origin: string, demo: boolean): Page {
  return {
    title: 'Compliance Onboarding API',
    description: contract.summary,
    path: '/',
    styles: ['site.css', CODE_STYLE, 'landing.css'],
    scripts: ['landing.js', CODE_SCRIPT],
    body: html`<main id="main" tabindex="-1">
<section class="hero"><div class="wrap">
<p class="status" id="status" role="status" data-state="asking"><span class="dot"></span><span data-text>Asking the service…</span></p>
<h1>Onboard people and companies with evidence that lasts</h1>
<p class="lead">${contract.summary} One contract, two SDKs, and a feed of funds-recovery events that loses nothing.</p>
<p class="actions"><a class="button primary" href="/keys">Get an API key</a> <a class="button" href="/reference">Read the reference</a></p>
<p class="facts">Version ${contract.version}<span aria-hidden="true"> · </span>${contract.operations} operations<span aria-hidden="true"> · </span>OpenAPI 3.1 as <a href="/openapi.yaml">YAML</a> and <a href="/openapi.json">JSON</a>, <a href="/openapi-3.0.json">3.0</a> for generators of clients</p>
</div></section>
<section class="steps" aria-labelledby="steps"><div class="wrap">
<h2 id="steps">Three steps to the first call</h2>
<ol>
<li>
<h3>Create a key</h3>
<p>Sign in, switch <a href="/sandbox">sandbox mode</a> on, and create a test key under <a href="/keys">API keys</a> with the scopes <code>read</code> and <code>write</code>. Copy it: it is shown once, and only ever sees the sandbox.</p>
${demo ? html`<p class="hint">This is a demo installation. Its sign-in and two keys were printed when the service started, and stand in <code>demo.json</code> of its data directory.</p>` : null}
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
${card('/reference', 'Reference', 'Every operation with its fields, errors and examples. Searchable, in one page.')}
${card('/explorer', 'Explorer', 'Call this installation from the browser with an API key, a bearer token or client credentials.')}
${card('/onboarding', 'Onboarding', 'What is left to do before you go live, computed from what is really there.')}
${card('/keys', 'API keys', 'Create, narrow, rotate and revoke keys, and see which are used.')}
${card('/sandbox', 'Sandbox', 'Invented people with known outcomes, and a clock that you move.')}
${card('/funds-recovery', 'Funds recovery', 'Play a recovery through and watch its events arrive, from the first to the last.')}
${card('/team', 'Team', 'Invite colleagues, give them roles, end their sessions.')}
${card('/audit', 'Audit log', 'Search what was done, verify the log, download proofs.')}
${card('/problems', 'Errors', 'What each error code means and what to do about it.')}
</ul>
</div></section>
</main>`,
  };
}

function card(href: string, title: string, text: string): Html {
  return html`<li><a class="card" href="${href}"><strong>${title}</strong><span>${text}</span></a></li>\n`;
}
