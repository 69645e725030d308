/** This file decides whether a PDF is accepted: complete, not encrypted, without active content and of at most thirty pages. */
import { Problem } from '../../../../contract/problem.ts';
import { assertNoForeignFormatInMetadata, assertNoSecondFormat, corrupt } from '../checks.ts';
import { budgetFor } from './budget.ts';
import { isObjectStream, objectsOf, ObjectTable, readObjectStream } from './objects.ts';
import { assertUnpacks } from './packed-data.ts';
import { isKind, nameOf, type PdfDictionary, type PdfValue, type Sink } from './reader.ts';

const HEADER = /^%PDF-[12]\.\d/;
const HEADER_BYTES = 8;
/** Browsers and other programs recognise a file by so many first bytes. */
const HEAD = 1024;
const END = '%%EOF';

/** Checks that the file begins with the header of a PDF, ends with its end marker and is no other format as well. */
function assertEnvelope(bytes: Buffer): void {
  if (!HEADER.test(bytes.toString('latin1', 0, HEADER_BYTES))) throw corrupt('Something stands before the header of the PDF. Save it anew.');
  assertNoForeignFormatInMetadata(bytes.subarray(HEADER_BYTES, HEAD));
  assertNoSecondFormat(bytes);
  const end = bytes.lastIndexOf(END);
  if (end === -1) throw corrupt('The PDF is cut off: it ends without %%EOF.');
  if (!/^[\0\t\n\f\r \x1a]*$/.test(bytes.toString('latin1', end + END.length))) throw corrupt('Something follows the end of the PDF.');
}

/** Names of features beyond showing pages: scripts, actions, attachments, media (ISO 32000-1 §7.11.4, §12.6.4, §12.7.8, §13). */
const ACTIVE: ReadonlySet<string> = new Set([
  'JavaScript', 'JS', 'Launch', 'EmbeddedFile', 'EmbeddedFiles', 'FileAttachment', 'RichMedia', 'RichMediaExecute', 'XFA', 'GoToE', 'GoToR', 'ImportData',
  'SubmitForm', 'Rendition', 'Movie', 'Sound', '3D', 'GoTo3DView', 'OnInstantiate', 'NeedsRendering',
]);
const SCRIPT_ADDRESS = /^\s*(?:javascript|vbscript):/i;
/** A link to such an address opens a file of the reader's computer, or one that was not inspected. */
const LOCAL_ADDRESS = /^\s*(?:file:|data:|\\\\)/i;

/** Collects from names, strings and dictionaries whether the file is encrypted or active. */
class Findings implements Sink {
  encrypted = false;
  active = false;

  name(name: string): void {
    if (name === 'Encrypt') this.encrypted = true;
    else if (ACTIVE.has(name)) this.active = true;
  }

  string(beginning: string): void {
    if (SCRIPT_ADDRESS.test(beginning)) this.active = true;
  }

  /** Checks entries whose short names are significant only in certain dictionaries. */
  dictionary({ entries }: PdfDictionary): void {
    const isFileWithContent = entries.has('EF') && (entries.has('F') || entries.has('UF') || entries.has('Type'));
    const isProgram = [entries.get('Subtype'), entries.get('Subtype2')].some((type) => isKind(type, 'name') && type.name === 'PS');
    const address = entries.get('URI');
    const isLocal = isKind(address, 'string') && LOCAL_ADDRESS.test(address.text);
    if (isFileWithContent || isProgram || isLocal) this.active = true;
  }
}

/**
 * Counts the leaves of the page trees (ISO 32000-1 §7.7.3), because the entry `Count` can be wrong; stops after `limit`. With
 * `all`, a page counts once over all revisions, so no reader shows more pages than this, whichever revision it chooses.
 */
function countPages(trailers: readonly PdfDictionary[], table: ObjectTable, which: 'last' | 'all', limit: number): number {
  const open: (PdfValue | undefined)[] = [];
  // Each dictionary and each array is visited once, however many references lead to it.
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

/** Actions that are allowed on a click but not by themselves, because they leave the document. Worse ones are refused anywhere. */
const LEAVES_THE_READER: ReadonlySet<string | null> = new Set(['URI', 'Thread']);

/** Collects actions that run without a click (ISO 32000-1 §12.6.1, §12.6.3): on opening the file, or on showing or printing a page. */
class Triggers {
  readonly #openings: PdfValue[] = [];
  readonly #additional: PdfValue[] = [];

  notice({ entries }: PdfDictionary): void {
    const [opening, additional] = [entries.get('OpenAction'), entries.get('AA')];
    if (opening !== undefined) this.#openings.push(opening);
    if (additional !== undefined) this.#additional.push(additional);
  }

  /** Whether one of them leaves the document, in any revision of its objects, itself or by a following action (`Next`). */
  leaveTheReader(table: ObjectTable): boolean {
    const seen = new Set<number>();
    const open: PdfValue[] = [...this.#openings];
    for (const events of this.#additional.flatMap((value) => table.all(value, seen))) if (isKind(events, 'dictionary')) for (const action of events.entries.values()) open.push(action);
    // An object that was visited as a list of events may also be used as an action.
    seen.clear();
    const done = new Set<PdfValue>();
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const action of table.all(next, seen)) {
        if (done.has(action)) continue;
        done.add(action);
        if (isKind(action, 'array')) for (const item of action.items) open.push(item);
        if (!isKind(action, 'dictionary')) continue;
        if (table.all(action.entries.get('S')).some((kind) => LEAVES_THE_READER.has(nameOf(kind)))) return true;
        const after = action.entries.get('Next');
        if (after !== undefined) open.push(after);
      }
    }
    return false;
  }
}

const MAX_PAGES = 30;

/** Refuses a PDF that is damaged, encrypted, active, too long or unpacks to too much; returns the number of its pages. */
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
  // This is checked before unpacking, because encrypted streams cannot be unpacked.
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
