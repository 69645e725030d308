import { siteHeader } from './layout.ts';

/** Puts our header above the built reference, so that it belongs to the site like every other page. */
export function referencePage(built: string, assets: string): string {
  const styles = ['frame.css', 'reference.css'].map((name) => `<link rel="stylesheet" href="${assets}/${name}">`);
  const head = [...styles, '<link rel="icon" href="/favicon.svg" type="image/svg+xml">', `<script type="module" src="${assets}/repairs.js"></script>`].join('\n');
  return after(after(built, '<head>', head), '<body>', siteHeader('/reference').text);
}

/** The tags looked for are the first of the document; the inlined scripts, which hold such texts too, come later. */
function after(markup: string, tag: string, addition: string): string {
  const start = markup.indexOf(tag);
  if (start < 0) throw new Error(`the reference page has no ${tag}`);
  const end = start + tag.length;
  return `${markup.slice(0, end)}\n${addition}${markup.slice(end)}`;
}
