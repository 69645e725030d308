/**
 * The pages below `/guides`: the index, the results of the search, and each guide. Used by router.ts. The query comes
 * from anybody, so it is cut to a length and only ever shown as text.
 */
import { html, type Html } from '../../base/html.ts';
import { CODE_SCRIPT, CODE_STYLE } from '../code.ts';
import type { Page } from '../layout.ts';
import type { Guides } from './guides.ts';
import type { Guide } from './render.ts';
import { type Hit, marked, type SearchTarget, search, wordsOf } from './search.ts';

const STYLES = ['site.css', CODE_STYLE, 'guides.css'];
const LONGEST_QUERY = 100;

/** Renders the index of the guides or, with a query, the search results in all pages with text. */
export function guidesPage(guides: Guides, targets: readonly SearchTarget[], input: string): Page {
  const query = input.trim().slice(0, LONGEST_QUERY);
  return {
    title: `${query === '' ? 'Guides' : `“${query}” in the guides`} · Compliance Onboarding API`,
    description: 'How to work with the API and to run the service, with programs that do what they show.',
    path: '/guides',
    styles: STYLES,
    scripts: [CODE_SCRIPT],
    body: frame(
      guides,
      null,
      query,
      query === '' ? html`<h1>Guides</h1>${guides.index.body}` : results(query, search(targets, query)),
    ),
  };
}

export function guidePage(guides: Guides, guide: Guide): Page {
  return {
    title: `${guide.title} · Compliance Onboarding API`,
    description: `A guide: ${guide.title}.`,
    path: `/guides/${guide.name}`,
    styles: STYLES,
    scripts: [CODE_SCRIPT],
    body: frame(
      guides,
      guide,
      '',
      html`<h1>${guide.title}</h1>
${
  guide.contents.length < 2
    ? null
    : html`<nav class="contents" aria-labelledby="contents"><h2 id="contents">On this page</h2><ul>${guide.contents.map(
        ({ id, text }) => html`
<li><a href="#${id}">${text}</a></li>`,
      )}
</ul></nav>`
}
${guide.body}`,
    ),
  };
}

/** Attribute of the link to the shown page. */
const CURRENT = html` aria-current="page"`;

/** Renders the search and the list of all guides beside the content. */
function frame({ all }: Guides, here: Guide | null, query: string, content: Html): Html {
  return html`<main id="main" tabindex="-1" class="wrap guides">
<div class="beside">
<form role="search" action="/guides" method="get">
<label for="q">Search the guides</label>
<div class="ask"><input id="q" name="q" type="search" value="${query}" maxlength="${LONGEST_QUERY}"
autocomplete="off"><button class="button" type="submit">Search</button></div>
</form>
<nav aria-label="Guides"><ul>
<li><a href="/guides"${here === null && query === '' ? CURRENT : null}>Overview</a></li>${all.map(
    ({ name, title }) => html`
<li><a href="/guides/${name}"${name === here?.name ? CURRENT : null}>${title.replace(/:.*/, '')}</a></li>`,
  )}
</ul></nav>
</div>
<article class="guide">
${content}
</article>
</main>`;
}

function results(query: string, hits: readonly Hit[]): Html {
  const words = wordsOf(query);
  const shown = (text: string): Html[] =>
    marked(text, words).map((piece, index) => (index % 2 === 0 ? html`${piece}` : html`<mark>${piece}</mark>`));
  if (hits.length === 0) {
    return html`<h1>Nothing about “${query}”</h1>
<p class="lead">No page has all of these words. Try fewer, look through <a href="/guides">the overview</a>, or search
the descriptions of <a href="/reference">the reference</a>.</p>`;
  }
  return html`<h1>“${query}” in the guides</h1>
<p class="lead">${hits.length === 1 ? 'One place' : `${hits.length} places`}, the best first.</p>
<ol class="hits">${hits.map(
    ({ target: { href, heading, page }, excerpt }) => html`
<li><h2><a href="${href}">${shown(heading)}</a></h2>
${page === null ? null : html`<p class="crumb">${page}</p>`}<p>${shown(excerpt)}</p></li>`,
  )}
</ol>`;
}
