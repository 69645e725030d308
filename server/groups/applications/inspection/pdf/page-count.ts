import { corrupt } from '../refusal.ts';
import type { ObjectTable } from './object-table.ts';
import type { PdfDictionary, PdfValue } from './values.ts';

/** Counts the leaves of the page tree (ISO 32000-1 §7.7.3) and not what `Count` claims; stops after `limit`. */
export function countPages(root: PdfDictionary | null, table: ObjectTable, limit: number): number {
  const open: (PdfValue | undefined)[] = [table.dictionary(root?.entries.get('Root'))?.entries.get('Pages')];
  const seen = new Set<PdfDictionary>();
  let pages = 0;
  while (open.length > 0 && pages <= limit) {
    const node = table.dictionary(open.pop());
    if (node === null || seen.has(node)) throw corrupt('The page tree of the PDF is damaged.');
    seen.add(node);
    const kids = node.entries.get('Kids');
    if (kids === undefined) pages += 1;
    else open.push(...table.items(kids));
  }
  if (pages === 0) throw corrupt('The PDF has no page.');
  return pages;
}
