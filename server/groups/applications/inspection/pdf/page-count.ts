import { corrupt } from '../refusal.ts';
import type { ObjectTable } from './object-table.ts';
import { isKind, type PdfDictionary, type PdfValue } from './values.ts';

/**
 * Counts the leaves of the page trees (ISO 32000-1 §7.7.3) and not what `Count` claims; stops after `limit`. In all revisions
 * together a page counts once, however often it was saved: so no reader sees more pages than this.
 */
export function countPages(trailers: readonly PdfDictionary[], table: ObjectTable, which: 'last' | 'all', limit: number): number {
  const open: (PdfValue | undefined)[] = [];
  // Each dictionary and each list is gone through once, however many others name it.
  const seen = new Set<PdfValue>();
  const pages = new Set<number | PdfDictionary>();
  for (const { entries } of trailers) {
    for (const root of table.revisions(entries.get('Root'), which)) if (isNew(root, seen) && isKind(root, 'dictionary')) open.push(root.entries.get('Pages'));
  }
  while (open.length > 0 && pages.size <= limit) {
    const next = open.pop();
    const nodes = table.revisions(next, which).filter((node) => isKind(node, 'dictionary'));
    if (which === 'last' && (nodes.length === 0 || nodes.some((node) => seen.has(node)))) throw corrupt('The page tree of the PDF is damaged.');
    for (const node of nodes.filter((each) => isNew(each, seen))) {
      const kids = node.entries.get('Kids');
      if (kids === undefined) pages.add(isKind(next, 'reference') ? next.number : node);
      for (const list of table.revisions(kids, which)) {
        if (isNew(list, seen) && isKind(list, 'array')) for (const kid of list.items) open.push(kid);
      }
    }
  }
  if (pages.size === 0) throw corrupt('The PDF has no page.');
  return pages.size;
}

function isNew(value: PdfValue, seen: Set<PdfValue>): boolean {
  return !seen.has(value) && seen.add(value) !== undefined;
}
