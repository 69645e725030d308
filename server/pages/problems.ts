/**
 * The pages below `/problems` that explain each error code. Used by router.ts. Every problem document links here, so a
 * code that was ever sent must keep its page.
 */
import { STATUS_CODES } from 'node:http';
import { html, type Html } from '../base/html.ts';
import { type ProblemCode, problems } from '../contract/generated/problems.ts';
import type { ProblemFacts, ProblemPages } from '../contract/problem-facts.ts';
import { CODE_SCRIPT, CODE_STYLE, code as codeBlock } from './code.ts';
import type { Page } from './layout.ts';

const STYLES = ['site.css', 'problems.css'];
/** Number of operations that are shown at once. A longer list is collapsed. */
const AT_A_GLANCE = 12;

export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(problems, code);
}

/** Renders every code by status, for looking up an error and for planning error handling. */
export function problemsPage(): Page {
  const codes = Object.keys(problems).filter(isProblemCode);
  const statuses = [...new Set(codes.map((code) => problems[code].status))].sort((a, b) => a - b);
  return {
    title: 'Errors · Compliance Onboarding API',
    description: 'Every error code of the API, what it means and what to do about it.',
    path: '/problems',
    styles: STYLES,
    body: html`<main id="main" tabindex="-1" class="wrap reading">
<h1>Errors</h1>
<p class="lead">A refusal is a problem document after RFC 9457, <code>application/problem+json</code>. Decide by its
<code>code</code>; the texts are for people and may change. <a href="/guides/errors">The guide to errors</a> says
how.</p>
${statuses.map(
  (status) => html`<section aria-labelledby="s${status}">
<h2 id="s${status}">${status} ${STATUS_CODES[status] ?? ''}</h2>
<dl class="problems">
${codes
  .filter((code) => problems[code].status === status)
  .map(
    (code) => html`<div id="${code}"><dt><a href="/problems/${code}"><code>${code}</code></a></dt>
<dd><strong>${problems[code].title}.</strong> ${prose(problems[code].description)}</dd></div>
`,
  )}</dl>
</section>
`,
)}</main>`,
  };
}

/**
 * Renders the page that the `type` of a problem document links to. If the documentation is not built, the data from its
 * build is omitted.
 */
export function problemPage(code: ProblemCode, pages: ProblemPages | null): Page {
  const { status, title, description } = problems[code];
  const facts = pages?.problems[code];
  return {
    title: `${title} · Compliance Onboarding API`,
    description,
    path: `/problems/${code}`,
    styles: [...STYLES, CODE_STYLE],
    scripts: [CODE_SCRIPT],
    body: html`<main id="main" tabindex="-1" class="wrap reading">
<p class="crumb"><a href="/problems">Errors</a></p>
<h1>${title}</h1>
<dl class="summary">
<div><dt>Code</dt><dd><code class="name">${code}</code></dd></div>
<div><dt>Status</dt><dd>${status} ${STATUS_CODES[status] ?? ''}</dd></div>
<div><dt>What to do</dt><dd>${prose(description)}</dd></div>
${facts === undefined ? null : classesOf(facts)}</dl>
${facts === undefined || pages === null ? null : [exampleOf(facts), originsOf(facts, pages)]}
<p class="hint">The problem document carries a <code>requestId</code>. Name it when you ask for help: it finds the
request in the log.</p>
</main>`,
  };
}

function classesOf({ classes: { typescript, python } }: ProblemFacts): Html {
  const below = ({ name, base }: { readonly name: string; readonly base: string }): Html | null =>
    name === base ? null : html`, a <code>${base}</code>`;
  return html`<div><dt>TypeScript</dt><dd><code class="name">${typescript.name}</code>${below(typescript)}</dd></div>
<div><dt>Python</dt><dd><code class="name">errors.${python.name}</code>${below(python)}</dd></div>
`;
}

function exampleOf({ example, members }: ProblemFacts): Html {
  return html`<section aria-labelledby="example">
<h2 id="example">An example</h2>
${codeBlock([{ label: 'application/problem+json', source: JSON.stringify(example, null, 2) }])}
${
  members.length === 0
    ? null
    : html`<dl class="members">${members.map(
        ({ name, description }) => html`
<div><dt><code>${name}</code></dt><dd>${prose(description)}</dd></div>`,
      )}
</dl>`
}
</section>
`;
}

function originsOf({ operations }: ProblemFacts, pages: ProblemPages): Html {
  const list = html`<ul class="operations">${operations.map((id) => {
    const { summary, method, path } = pages.operations[id]!;
    return html`
<li><a href="/reference#operation/${id}">${summary}</a> <code>${method.toUpperCase()} ${path}</code></li>`;
  })}
</ul>`;
  const all = Object.keys(pages.operations).length;
  return html`<section aria-labelledby="operations">
<h2 id="operations">Where it comes from</h2>
${originsIn(list, operations.length, all)}
</section>
`;
}

/** Collapses a long list. A code that no operation declares is explained. */
function originsIn(list: Html, count: number, all: number): Html {
  if (count === 0)
    return html`<p>Any address can answer this: it says something about the request or about the service, not about one
operation.</p>`;
  if (count <= AT_A_GLANCE) return list;
  return html`<details><summary>${count} of ${all} operations</summary>${list}</details>`;
}

export function unknownProblemPage(): Page {
  return {
    title: 'No such error code · Compliance Onboarding API',
    description: 'The address names no error code of this API.',
    path: '/problems',
    styles: STYLES,
    body: html`<main id="main" tabindex="-1" class="wrap reading">
<h1>There is no such error code</h1>
<p class="lead">Check the spelling, or look through <a href="/problems">all codes</a>.</p>
</main>`,
  };
}

/** Renders names in backticks as code, as the contract writes them. */
function prose(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`));
}
