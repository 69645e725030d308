/**
 * Measures the compressed streams of a PDF, so that a file that unpacks to an enormous size is rejected before use.
 * Used by inspect-pdf.ts.
 */
import { corrupt } from '../checks.ts';
import { inflated, inflatedSize } from '../inflate.ts';
import { type Budget, consume, measure } from './budget.ts';
import type { ObjectTable } from './objects.ts';
import { isKind, nameOf, type PdfDictionary, type PdfValue } from './reader.ts';

const HEXADECIMAL: ReadonlySet<string | null> = new Set(['ASCIIHexDecode', 'AHx']);
const BASE_85: ReadonlySet<string | null> = new Set(['ASCII85Decode', 'A85']);

function isTextFilter(filter: string | null): boolean {
  return HEXADECIMAL.has(filter) || BASE_85.has(filter);
}

/** Decodes binary data that a filter has written as text (ISO 32000-1 §7.4.2, §7.4.3). */
function decodeText(filter: string, data: Buffer): Buffer {
  return HEXADECIMAL.has(filter) ? fromHexadecimal(data) : fromBase85(data);
}

function fromHexadecimal(text: Buffer): Buffer {
  return Buffer.from((text.toString('latin1').split('>')[0] ?? '').replaceAll(/[^\da-f]/gi, ''), 'hex');
}

/**
 * Decodes ASCII base-85: five digits give four bytes, `z` gives four zero bytes and `~` ends the data.
 * Other characters are skipped.
 */
function fromBase85(text: Buffer): Buffer {
  const zeros = text.reduce((count, byte) => count + Number(byte === 0x7a), 0);
  const bytes = Buffer.alloc(4 * (zeros + Math.ceil(text.length / 5)));
  let [length, value, digits] = [0, 0, 0];
  for (const byte of text) {
    if (byte === 0x7e) break;
    if (byte === 0x7a && digits === 0) length += 4;
    if (byte < 0x21 || byte > 0x75) continue;
    value = value * 85 + byte - 0x21;
    if (++digits < 5) continue;
    bytes.writeUInt32BE(value % 2 ** 32, length);
    [length, value, digits] = [length + 4, 0, 0];
  }
  if (digits > 1) {
    for (let missing = digits; missing < 5; missing++) value = value * 85 + 84;
    bytes.writeUInt32BE(value % 2 ** 32, length);
    length += digits - 1;
  }
  return bytes.subarray(0, length);
}

const DEFLATE: ReadonlySet<string | null> = new Set(['FlateDecode', 'Fl']);
const PACKING: ReadonlySet<string | null> = new Set([...DEFLATE, 'RunLengthDecode', 'RL']);
/** Filters that no current program writes, and that could unpack to a thousand times their size or hide content. */
const OUTDATED: ReadonlySet<string | null> = new Set(['LZWDecode', 'LZW', 'Crypt']);
const MAX_PICTURE_PIXELS = 100_000_000;
/** Bytes of four colour components of sixteen bits. */
const BYTES_PER_PIXEL = 8;
/** Highest unpacked size of a stream other than a picture: fonts, page contents and the like. */
const MAX_UNPACKED = 64 * 1024 * 1024;
const SLICE = 64 * 1024;

/** Returns the names of the filters of a stream, which states none, one or a list. */
function filtersOf(entries: PdfDictionary['entries'], table: ObjectTable): (string | null)[] {
  const filter = table.resolve(entries.get('Filter'));
  if (filter === undefined) return [];
  return (isKind(filter, 'array') ? filter.items : [filter]).map((item) => nameOf(table.resolve(item)));
}

/**
 * Rejects a stream that unpacks to too much. `rest` is the file content from the first byte of the stream's data on.
 */
export async function assertUnpacks(
  { entries }: PdfDictionary,
  rest: Buffer,
  table: ObjectTable,
  budget: Budget,
): Promise<void> {
  if (entries.has('F')) throw corrupt('The PDF keeps data outside of the file.');
  const filters = filtersOf(entries, table);
  if (filters.some((each) => OUTDATED.has(each)))
    throw corrupt('The PDF is packed in an outdated way. Print it to a new PDF.');
  const text = filters.findIndex((each) => !isTextFilter(each));
  if (text > 1 || (text !== -1 && filters.slice(text + 1).some((each) => PACKING.has(each) || isTextFilter(each))))
    throw corrupt('The PDF has data that is packed twice.');
  const pixels = pixelsOf(entries, table);
  if (pixels !== null && pixels > MAX_PICTURE_PIXELS) throw corrupt('A picture in the PDF has too many pixels.');
  if (!DEFLATE.has(filters[text] ?? null) && !looksDeflated(rest)) return;
  const data = text === 1 ? decodeText(filters[0] as string, dataIn(rest)) : rest;
  if (text === 1) consume(budget, data.length);
  const found = pixels === null ? inMemory(data) : await inflatedSize(slicesOf(data), pixels * BYTES_PER_PIXEL + SLICE);
  if (found === 'excessive') throw corrupt('The PDF has data that unpacks to more than it can need.');
  // Damaged data are harmless, because readers stop there too. The part before the damage is of unknown size, so all
  // data count as read.
  consume(budget, found === 'damaged' ? dataIn(data).length : found.consumed);
  measure(budget, found === 'damaged' ? 0 : found.size);
}

/**
 * Returns whether data start with a zlib header (RFC 1950 §2.2), whatever the filter says: a reader may use another
 * revision of the filter.
 */
export function looksDeflated(data: Buffer): boolean {
  return data.length > 1 && ((data[0] as number) & 15) === 8 && data.readUInt16BE(0) % 31 === 0;
}

function inMemory(data: Buffer): Awaited<ReturnType<typeof inflatedSize>> {
  const found = inflated(data, MAX_UNPACKED);
  return typeof found === 'string' ? found : { size: found.bytes.length, consumed: found.consumed };
}

function* slicesOf(data: Buffer): Generator<Buffer> {
  for (let offset = 0; offset < data.length; offset += SLICE) yield data.subarray(offset, offset + SLICE);
}

/** Returns the data up to `endstream`, because text, unlike compressed data, does not mark its own end. */
export function dataIn(rest: Buffer): Buffer {
  const end = rest.indexOf('endstream');
  return end === -1 ? rest : rest.subarray(0, end);
}

function pixelsOf(entries: ReadonlyMap<string, PdfValue>, table: ObjectTable): number | null {
  if (nameOf(table.resolve(entries.get('Subtype'))) !== 'Image') return null;
  const [width, height] = [table.resolve(entries.get('Width')), table.resolve(entries.get('Height'))];
  return typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0 ? width * height : null;
}
