import { BoundedMap } from '../base/bounded-map.ts';
import { html } from '../base/html.ts';
import { Content } from './content.ts';
import { type Page, siteHeader } from './layout.ts';
import { referencePolicy } from './security-headers.ts';

/** The shell of the explorer; its script sets it up so that nothing leaves this origin. */
export function explorerPage(): Page {
  return {
    title: 'Explorer · Compliance Onboarding API',
    description: 'Call this installation from the browser.',
    path: '/explorer',
    styles: ['explorer.css'],
    library: '/explorer/standalone.js',
    scripts: ['explorer.js', 'explorer-repairs.js', 'repairs.js'],
    // The explorer brings its own heading and main landmark.
    body: html`<div id="main" tabindex="-1">
<noscript><p>The explorer needs JavaScript. The contract itself is at <a href="/openapi.yaml">openapi.yaml</a>.</p></noscript>
<div id="explorer"><p class="loading" role="status">Loading the explorer…</p></div>
</div>`,
  };
}

/** Until `make generate` has run there is nothing to show. */
export function notBuiltPage(path: string): Page {
  return {
    title: 'Not built yet · Compliance Onboarding API',
    description: 'The reader pages have not been built.',
    path,
    styles: ['site.css'],
    body: html`<main id="main" tabindex="-1" class="wrap reading">
<h1>This page has not been built yet</h1>
<p class="lead">Run <code>make generate</code> where the service is installed and load the page again. No restart is needed.</p>
</main>`,
  };
}

/** Where the build leaves room for the address of the installation (scripts/generate/reader-contract.ts). */
const ORIGIN = 'https://address-of-this-installation.invalid';

interface ServedReference {
  readonly content: Content;
  readonly policy: string;
}

/**
 * The reference names the address at which it was asked for. It is large, and its policy follows from its scripts: so it is kept for
 * the addresses of the last callers, who may name any.
 */
export function referenceFor(built: string, type: string, assets: string): (origin: string) => ServedReference {
  const parts = referencePage(built, assets).split(ORIGIN);
  const known = new BoundedMap<string, ServedReference>(4);
  return (origin) => {
    const kept = known.get(origin);
    if (kept !== undefined) return kept;
    const markup = parts.join(origin);
    const served = { content: new Content(type, Buffer.from(markup)), policy: referencePolicy(markup) };
    known.set(origin, served);
    return served;
  };
}

/** Puts our header above the built reference, so that it belongs to the site like every other page. */
function referencePage(built: string, assets: string): string {
  const styles = ['colours.css', 'frame.css', 'reference.css'].map((name) => `<link rel="stylesheet" href="${assets}/${name}">`);
  const head = [...styles, '<link rel="icon" href="/favicon.svg" type="image/svg+xml">', `<script type="module" src="${assets}/repairs.js"></script>`, `<script type="module" src="${assets}/reference.js"></script>`].join('\n');
  return after(after(built, '<head>', head), '<body>', siteHeader('/reference').text);
}

/** The tags looked for are the first of the document; the inlined scripts, which hold such texts too, come later. */
function after(markup: string, tag: string, addition: string): string {
  const start = markup.indexOf(tag);
  if (start < 0) throw new Error(`the reference page has no ${tag}`);
  const end = start + tag.length;
  return `${markup.slice(0, end)}\n${addition}${markup.slice(end)}`;
}
