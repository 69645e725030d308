/** Reads the guides in Markdown. Used by router.ts. Without an index there are no guides, and the pages say so. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Guide, renderGuide } from './render.ts';

/** All guides and their index, shown at `/guides`. */
export interface Guides {
  readonly index: Guide;
  /** Ordered as in the index, then those that it does not name. */
  readonly all: readonly Guide[];
}

const INDEX = 'README';

/**
 * Reads the guides of a folder: once for all requests, and again after a file there has changed. Null if there is no
 * index.
 */
export function guidesIn(folder: string): () => Promise<Guides | null> {
  let known: { readonly stamp: string; readonly guides: Promise<Guides | null> } | null = null;
  return async () => {
    const files = await readdir(folder).catch(() => []);
    const names = files.filter((file) => file.endsWith('.md')).map((file) => file.slice(0, -'.md'.length));
    const stamp = (
      await Promise.all(names.map(async (name) => `${name} ${(await stat(join(folder, `${name}.md`))).mtimeMs}`))
    ).join('\n');
    if (known?.stamp !== stamp) known = { stamp, guides: readGuides(folder, names) };
    return known.guides;
  };
}

async function readGuides(folder: string, names: readonly string[]): Promise<Guides | null> {
  const texts = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, `${name}.md`), 'utf8')] as const)),
  );
  const index = texts.get(INDEX);
  if (index === undefined) return null;
  const order = [...index.matchAll(/\]\(([\w-]+)\.md/g)].map(([, name]) => name);
  const positionOf = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  const guides = names
    .filter((name) => name !== INDEX)
    .toSorted((a, b) => positionOf(a) - positionOf(b) || (a < b ? -1 : 1));
  const known = new Set(guides);
  return {
    index: renderGuide(INDEX, index, known),
    all: guides.map((name) => renderGuide(name, texts.get(name) ?? '', known)),
  };
}
