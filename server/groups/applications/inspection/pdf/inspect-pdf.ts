import { Problem } from '../../../../http/problem.ts';
import { budgetFor } from './budget.ts';
import { assertEnvelope } from './envelope.ts';
import { Findings } from './findings.ts';
import { ObjectTable } from './object-table.ts';
import { isObjectStream, readObjectStream } from './object-stream.ts';
import { objectsOf } from './objects.ts';
import { assertUnpacks } from './packed-data.ts';
import { countPages } from './page-count.ts';
import { Triggers } from './triggers.ts';
import { isKind, type PdfDictionary, type PdfValue } from './values.ts';

const MAX_PAGES = 30;

/** Refuses a PDF that is damaged, encrypted, active, long or made to burst; returns the number of its pages. */
export async function inspectPdf(bytes: Buffer): Promise<number> {
  assertEnvelope(bytes);
  const findings = new Findings();
  const budget = budgetFor(bytes.length);
  const table = new ObjectTable();
  const streams: { readonly dictionary: PdfDictionary; readonly rest: Buffer }[] = [];
  const trailers: PdfDictionary[] = [];
  const triggers = new Triggers();
  const notice = (number: number | null, value: PdfValue): void => {
    if (number !== null) table.set(number, value);
    if (!isKind(value, 'dictionary')) return;
    if (value.entries.has('Root')) trailers.push(value);
    triggers.notice(value);
  };

  for (const { number, value, data } of objectsOf(bytes, budget, findings)) {
    notice(number, value);
    if (isKind(value, 'dictionary') && data !== null) streams.push({ dictionary: value, rest: bytes.subarray(data) });
  }
  // Before unpacking: what is encrypted cannot be unpacked.
  if (findings.encrypted) throw new Problem('encrypted_pdf');
  for (const { dictionary, rest } of streams.filter((stream) => isObjectStream(stream.dictionary))) {
    for (const { number, value } of readObjectStream(dictionary, rest, budget, findings)) notice(number, value);
  }
  if (findings.active || triggers.leaveTheReader(table)) throw new Problem('active_content');
  const pages = countPages(trailers.slice(-1), table, 'last', MAX_PAGES);
  if (countPages(trailers, table, 'all', MAX_PAGES) > MAX_PAGES) throw new Problem('too_many_pages');
  for (const { dictionary, rest } of streams) await assertUnpacks(dictionary, rest, table, budget);
  return pages;
}
