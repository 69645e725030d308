/**
 * The pages of the reference and the explorer, and the page for what is not built yet. Used by router.ts. The reference
 * is a third party's output: if its markup changes, a tag is not found and this throws.
 */
import { BoundedMap } from '../base/bounded-map.ts';
import { html } from '../base/html.ts';
import { Content } from './content.ts';
import { type Page, siteHeader } from './layout.ts';
import { referencePolicy } from './security-headers.ts';

/** Renders the shell of the explorer. Its script configures the explorer so that no request leaves this origin. */
export function explorerPage(): Page {
  return {
    title: 'Explorer · Compliance Onboarding API',
    description: 'Call this installation from the browser.',
    path: '/explorer',
    styles: ['explorer.css'],
    library: '/explorer/standalone.js',
    scripts: ['explorer.js', 'explorer-repairs.js', 'repairs.js'],
    // The explorer has its own heading and main landmark.
    body: html`<div id="main" tabindex="-1">
<noscript><p>The explorer needs JavaScript. The contract itself is at
<a href="/openapi.yaml">openapi.yaml</a>.</p></noscript>
<div id="explorer"><p class="loading" role="status">Loading the explorer…</p></div>
</div>`,
  };
}

/** Shown until `make generate` has run. */
export function notBuiltPage(path: string): Page {
  return {
    title: 'Not built yet · Compliance Onboarding API',
    description: 'The reader pages have not been built.',
    path,
    styles: ['site.css'],
    body: html`<main id="main" tabindex="-1" class="wrap reading">
<h1>This page has not been built yet</h1>
<p class="lead">Run <code>make generate</code> where the service is installed and load the page again. No restart is
needed.</p>
</main>`,
  };
}

/** Placeholder of the build for the address of the installation (scripts/generate/reader-contract.ts). */
const ORIGIN = 'https://address-of-this-installation.invalid';

interface ServedReference {
  readonly content: Content;
  readonly policy: string;
}

/**
 * Renders the reference with the origin of the request. The result is large and its policy depends on its scripts, so
 * it is cached for a few origins; the number is limited because clients can name any.
 */
export function referenceFor(built: string, type: string, assets: string): (origin: string) => ServedReference {
  const parts = referencePage(built, assets).split(ORIGIN);
  const known = new BoundedMap<string, ServedReference>(4);
  return (origin) => {
    const cached = known.get(origin);
    if (cached !== undefined) return cached;
    const markup = parts.join(origin);
    const served = { content: new Content(type, Buffer.from(markup)), policy: referencePolicy(markup) };
    known.set(origin, served);
    return served;
  };
}

/** Adds our header to the built reference, so that it belongs to the site like every other page. */
function referencePage(built: string, assets: string): string {
  const styles = ['colours.css', 'frame.css', 'reference.css'].map(
    (name) => `<link rel="stylesheet" href="${assets}/${name}">`,
  );
  const head = [
    ...styles,
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    `<script type="module" src="${assets}/repairs.js"></script>`,
    `<script type="module" src="${assets}/reference.js"></script>`,
  ].join('\n');
  return after(after(built, '<head>', head), '<body>', siteHeader('/reference').text);
}

/**
 * Inserts text after the first such tag of the document. The inlined scripts, which contain such texts too, come later.
 */
function after(markup: string, tag: string, addition: string): string {
  const start = markup.indexOf(tag);
  if (start < 0) throw new Error(`the reference page has no ${tag}`);
  const end = start + tag.length;
  return `${markup.slice(0, end)}\n${addition}${markup.slice(end)}`;
}
