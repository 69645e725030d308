import { setImmediate } from 'node:timers/promises';
import { Problem } from '../../../../http/problem.ts';
import { budgetFor } from './budget.ts';
import { assertEnvelope } from './envelope.ts';
import { Names } from './names.ts';
import { ObjectTable } from './object-table.ts';
import { isObjectStream, readObjectStream } from './object-stream.ts';
import { objectsOf } from './objects.ts';
import { countPages } from './page-count.ts';
import { isKind, type PdfDictionary } from './values.ts';

const MAX_PAGES = 30;
/** After so many objects other requests get their turn. */
const TURN = 1000;

/** Refuses a PDF that is damaged, encrypted, active or long; returns the number of its pages. */
export async function inspectPdf(bytes: Buffer): Promise<number> {
  assertEnvelope(bytes);
  const names = new Names();
  const budget = budgetFor(bytes.length);
  const table = new ObjectTable();
  const packed: { dictionary: PdfDictionary; data: number }[] = [];
  let root: PdfDictionary | null = null;
  let count = 0;

  for (const { number, value, data } of objectsOf(bytes, budget, names.see)) {
    if (number !== null) table.set(number, value);
    if (isKind(value, 'dictionary')) {
      if (value.entries.has('Root')) root = value;
      if (data !== null && isObjectStream(value)) packed.push({ dictionary: value, data });
    }
    if (++count % TURN === 0) await setImmediate();
  }
  // Before unpacking: what is encrypted cannot be unpacked.
  if (names.encrypted) throw new Problem('encrypted_pdf');
  for (const { dictionary, data } of packed) {
    for (const { number, value } of await readObjectStream(dictionary, bytes.subarray(data), table, budget, names.see)) table.set(number, value);
  }
  if (names.active) throw new Problem('active_content');
  const pages = countPages(root, table, MAX_PAGES);
  if (pages > MAX_PAGES) throw new Problem('too_many_pages');
  return pages;
}
