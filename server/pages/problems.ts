import { STATUS_CODES } from 'node:http';
import { html, type Html } from '../base/html.ts';
import { type ProblemCode, problems } from '../contract/generated/problems.ts';
import type { Page } from './layout.ts';

export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(problems, code);
}

/** Every code, by status: what to look up after an error, and what to plan for before one. */
export function problemsPage(): Page {
  const codes = Object.keys(problems).filter(isProblemCode);
  const statuses = [...new Set(codes.map((code) => problems[code].status))].sort((a, b) => a - b);
  return {
    title: 'Errors · Compliance Onboarding API',
    description: 'Every error code of the API, what it means and what to do about it.',
    path: '/problems',
    styles: ['site.css', 'problems.css'],
    body: html`<main id="main" tabindex="-1" class="wrap reading">
<h1>Errors</h1>
<p class="lead">A refusal is a problem document after RFC 9457, <code>application/problem+json</code>. Decide by its <code>code</code>; the texts are for people and may change.</p>
${statuses.map((status) => html`<section aria-labelledby="s${status}">
<h2 id="s${status}">${status} ${STATUS_CODES[status] ?? ''}</h2>
<dl class="problems">
${codes.filter((code) => problems[code].status === status).map((code) => html`<div id="${code}"><dt><a href="/problems/${code}"><code>${code}</code></a></dt>
<dd><strong>${problems[code].title}.</strong> ${prose(problems[code].description)}</dd></div>
`)}</dl>
</section>
`)}</main>`,
  };
}

/** What the `type` of a problem document points to. */
export function problemPage(code: ProblemCode): Page {
  const { status, title, description } = problems[code];
  return {
    title: `${title} · Compliance Onboarding API`,
    description,
    path: `/problems/${code}`,
    styles: ['site.css', 'problems.css'],
    body: html`<main id="main" tabindex="-1" class="wrap reading">
<p class="crumb"><a href="/problems">Errors</a></p>
<h1>${title}</h1>
<p class="lead">${prose(description)}</p>
<dl class="summary">
<div><dt>Code</dt><dd><code>${code}</code></dd></div>
<div><dt>Status</dt><dd>${status} ${STATUS_CODES[status] ?? ''}</dd></div>
<div><dt>Type</dt><dd><code>/problems/${code}</code></dd></div>
</dl>
<p>The problem document carries a <code>requestId</code>. Name it when you ask for help: it finds the request in the log.</p>
</main>`,
  };
}

export function unknownProblemPage(): Page {
  return {
    title: 'No such error code · Compliance Onboarding API',
    description: 'The address names no error code of this API.',
    path: '/problems',
    styles: ['site.css', 'problems.css'],
    body: html`<main id="main" tabindex="-1" class="wrap reading">
<h1>There is no such error code</h1>
<p class="lead">Check the spelling, or look through <a href="/problems">all codes</a>.</p>
</main>`,
  };
}

/** The contract writes names in backticks. */
function prose(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`));
}
