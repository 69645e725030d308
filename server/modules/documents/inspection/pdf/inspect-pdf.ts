/**
 * Decides whether a PDF is accepted: complete, without a password, without active content, with at most thirty pages.
 * Used by inspect.ts.
 */
import { Problem } from '../../../../contract/problem.ts';
import { assertNoForeignFormatInMetadata, assertNoSecondFormat, corrupt } from '../checks.ts';
import { type Budget, budgetFor, consume } from './budget.ts';
import { type Decryption, decryptionOf, type ObjectId } from './decryption.ts';
import { isObjectStream, objectsOf, ObjectTable, readObjectStream, type StreamData } from './objects.ts';
import { assertUnpacks, dataIn, looksDeflated } from './packed-data.ts';
import { beginningOf, bytesOf, isKind, nameOf, type PdfDictionary, type PdfValue, type Sink } from './reader.ts';

const HEADER = /^%PDF-[12]\.\d/;
const HEADER_BYTES = 8;
/** Number of bytes at the start of a file by which browsers and other programs recognise its format. */
const HEAD = 1024;
const END = '%%EOF';
const LINE_FEED = 0x0a;
const FIRST_OBJECT = /\d[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]+obj/;

/**
 * Checks that the file starts with the header of a PDF, ends with its end marker and is no other format as well.
 * Another format can start only before the first object: the content of objects, such as the program of a font or the
 * rich text of a note, is read only by PDF readers.
 */
function assertEnvelope(bytes: Buffer): void {
  if (!HEADER.test(bytes.toString('latin1', 0, HEADER_BYTES)))
    throw corrupt('Something stands before the header of the PDF. Save it anew.');
  const head = bytes.toString('latin1', 0, HEAD);
  assertNoForeignFormatInMetadata(bytes.subarray(HEADER_BYTES, FIRST_OBJECT.exec(head)?.index ?? HEAD));
  assertNoSecondFormat(bytes);
  const end = bytes.lastIndexOf(END);
  if (end === -1) throw corrupt('The PDF is cut off: it ends without %%EOF.');
  if (!/^[\0\t\n\f\r \x1a]*$/.test(bytes.toString('latin1', end + END.length)))
    throw corrupt('Something follows the end of the PDF.');
}

/**
 * Names of features beyond showing pages: scripts, actions, attachments, media (ISO 32000-1
 * §7.11.4, §12.6.4, §12.7.8, §13).
 */
const ACTIVE: ReadonlySet<string> = new Set([
  'JavaScript',
  'JS',
  'Launch',
  'EmbeddedFile',
  'EmbeddedFiles',
  'FileAttachment',
  'RichMedia',
  'RichMediaExecute',
  'XFA',
  'GoToE',
  'GoToR',
  'ImportData',
  'SubmitForm',
  'Rendition',
  'Movie',
  'Sound',
  '3D',
  'GoTo3DView',
  'OnInstantiate',
  'NeedsRendering',
]);
const SCRIPT_ADDRESS = /^\s*(?:javascript|vbscript):/i;
/** Addresses of links that open a file on the reader's computer or a file that was not inspected. */
const LOCAL_ADDRESS = /^\s*(?:file:|data:|\\\\)/i;

/** Collects from names, strings and dictionaries how the file is encrypted and whether it has active content. */
class Findings implements Sink {
  readonly encryptions: PdfValue[] = [];
  active = false;

  name(name: string): void {
    if (ACTIVE.has(name)) this.active = true;
  }

  string(beginning: string): void {
    if (SCRIPT_ADDRESS.test(beginning)) this.active = true;
  }

  /** Checks entries whose short names are significant only in certain dictionaries. */
  dictionary({ entries }: PdfDictionary): void {
    const encryption = entries.get('Encrypt');
    if (encryption !== undefined) this.encryptions.push(encryption);
    const isFileWithContent = entries.has('EF') && (entries.has('F') || entries.has('UF') || entries.has('Type'));
    const isProgram = [entries.get('Subtype'), entries.get('Subtype2')].some(
      (type) => isKind(type, 'name') && type.name === 'PS',
    );
    const address = entries.get('URI');
    const isLocal = isKind(address, 'string') && LOCAL_ADDRESS.test(address.text);
    if (isFileWithContent || isProgram || isLocal) this.active = true;
  }
}

/**
 * Counts the leaves of the page trees (ISO 32000-1 §7.7.3), because the entry `Count` can be wrong. Stops after
 * `limit`. With `all`, it counts each page once over all revisions, so that no reader shows more pages, whichever
 * revision it uses.
 */
function countPages(
  trailers: readonly PdfDictionary[],
  table: ObjectTable,
  which: 'last' | 'all',
  limit: number,
): number {
  const open: (PdfValue | undefined)[] = [];
  // Each dictionary and each array is visited once, however many references lead to it.
  const seen = new Set<PdfValue>();
  const pages = new Set<number | PdfDictionary>();
  for (const { entries } of trailers) {
    for (const root of table.revisions(entries.get('Root'), which))
      if (isNew(root, seen) && isKind(root, 'dictionary')) open.push(root.entries.get('Pages'));
  }
  while (open.length > 0 && pages.size <= limit) {
    const next = open.pop();
    const nodes = table.revisions(next, which).filter((node) => isKind(node, 'dictionary'));
    if (which === 'last' && (nodes.length === 0 || nodes.some((node) => seen.has(node))))
      throw corrupt('The page tree of the PDF is damaged.');
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

/**
 * Actions that leave the document. They are allowed on a click but must not run automatically. More dangerous actions
 * are rejected everywhere.
 */
const LEAVES_THE_READER: ReadonlySet<string | null> = new Set(['URI', 'Thread']);

/**
 * Collects actions that run without a click (ISO 32000-1 §12.6.1, §12.6.3): on opening the file, or on
 * showing or printing a page.
 */
class Triggers {
  readonly #openings: PdfValue[] = [];
  readonly #additional: PdfValue[] = [];

  notice({ entries }: PdfDictionary): void {
    const [opening, additional] = [entries.get('OpenAction'), entries.get('AA')];
    if (opening !== undefined) this.#openings.push(opening);
    if (additional !== undefined) this.#additional.push(additional);
  }

  /**
   * Returns whether an automatic action leaves the document, in any revision of its objects, itself or through a
   * following action (`Next`).
   */
  leaveTheReader(table: ObjectTable): boolean {
    const seen = new Set<number>();
    const open: PdfValue[] = [...this.#openings];
    for (const events of this.#additional.flatMap((value) => table.all(value, seen)))
      if (isKind(events, 'dictionary')) for (const action of events.entries.values()) open.push(action);
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

/**
 * Rejects a PDF that is damaged, encrypted, active, too long or unpacks to too much. Returns the number of its pages.
 */
export async function inspectPdf(bytes: Buffer): Promise<number> {
  assertEnvelope(bytes);
  const findings = new Findings();
  const budget = budgetFor(bytes.length);
  const table = new ObjectTable();
  const streams: Stream[] = [];
  const values: { readonly objectId: ObjectId; readonly value: PdfValue }[] = [];
  const trailers: PdfDictionary[] = [];
  const triggers = new Triggers();
  const notice = (number: number | null, value: PdfValue): void => {
    if (number !== null) table.set(number, value);
    if (!isKind(value, 'dictionary')) return;
    if (value.entries.has('Root')) trailers.push(value);
    triggers.notice(value);
  };

  for (const { objectId, value, data } of objectsOf(bytes, budget, findings)) {
    notice(objectId?.number ?? null, value);
    if (objectId !== null) values.push({ objectId, value });
    if (isKind(value, 'dictionary') && data !== null)
      streams.push({
        objectId,
        dictionary: value,
        rest: bytes.subarray(data),
        isClear: bytes[data - 1] === LINE_FEED,
      });
  }
  const decryption = decryptionIn(findings.encryptions, trailers, table);
  if (decryption !== null)
    for (const { objectId, value } of values) reportStrings(value, (raw) => decryption.string(objectId, raw), findings);
  for (const stream of streams.filter(({ dictionary }) => isObjectStream(dictionary))) {
    for (const { number, value } of readObjectStream(
      { ...stream, rest: opened(stream, decryption, budget) ?? stream.rest },
      budget,
      findings,
    ))
      notice(number, value);
  }
  if (findings.active || triggers.leaveTheReader(table)) throw new Problem('active_content');
  const pages = countPages(trailers.slice(-1), table, 'last', MAX_PAGES);
  if (countPages(trailers, table, 'all', MAX_PAGES) > MAX_PAGES) throw new Problem('too_many_pages');
  for (const stream of streams) {
    const data = opened(stream, decryption, budget);
    if (data !== null) await assertUnpacks(stream.dictionary, data, table, budget);
    // Cross-reference streams, and in some files metadata, are not encrypted.
    if (data === null || looksDeflated(stream.rest)) await assertUnpacks(stream.dictionary, stream.rest, table, budget);
  }
  return pages;
}

interface Stream extends StreamData {
  readonly objectId: ObjectId | null;
}

/** Returns the decrypted data of a stream, or null if the stream is not encrypted. */
function opened({ objectId, rest }: Stream, decryption: Decryption | null, budget: Budget): Buffer | null {
  if (decryption === null || objectId === null) return null;
  const data = dataIn(rest);
  consume(budget, data.length);
  return decryption.stream(objectId, data);
}

/**
 * Returns the decryption of a file that opens without a password; null if the file is not encrypted. Rejects a file
 * whose encryption is ambiguous or needs a password or a certificate.
 */
function decryptionIn(
  values: readonly PdfValue[],
  trailers: readonly PdfDictionary[],
  table: ObjectTable,
): Decryption | null {
  const encryptions = [...new Set(values.flatMap((value) => table.all(value)))].filter(
    (value) => !isKind(value, 'keyword') || value.text !== 'null',
  );
  if (encryptions.length === 0) return null;
  const [encryption, other] = encryptions;
  const ids = trailers.flatMap(({ entries }) => {
    const id = table.resolve(entries.get('ID'));
    const first = isKind(id, 'array') ? table.resolve(id.items[0]) : undefined;
    return isKind(first, 'string') ? [bytesOf(first)] : [];
  });
  const found =
    other === undefined && isKind(encryption, 'dictionary')
      ? decryptionOf(encryption, ids, (value) => table.resolve(value))
      : null;
  if (found === null) throw new Problem('encrypted_pdf');
  return found;
}

/** Reports the decrypted strings of an object and the dictionaries that contain them. */
function reportStrings(value: PdfValue, decrypt: (raw: Buffer) => Buffer, sink: Sink): PdfValue {
  if (isKind(value, 'string')) {
    const text = beginningOf(decrypt(bytesOf(value)));
    sink.string(text);
    return { ...value, text };
  }
  if (isKind(value, 'array')) return { ...value, items: value.items.map((item) => reportStrings(item, decrypt, sink)) };
  if (!isKind(value, 'dictionary')) return value;
  const dictionary = {
    ...value,
    entries: new Map([...value.entries].map(([name, entry]) => [name, reportStrings(entry, decrypt, sink)])),
  };
  sink.dictionary(dictionary);
  return dictionary;
}
