/**
 * Finds all objects of a PDF, including those in object streams, and keeps every revision of each, because readers
 * differ in which revision they use. Used by inspect-pdf.ts and packed-data.ts.
 */
import { corrupt } from '../checks.ts';
import { inflated } from '../inflate.ts';
import { type Budget, consume, unpack } from './budget.ts';
import type { ObjectId } from './decryption.ts';
import { isKind, nameOf, type PdfDictionary, PdfReader, type PdfValue, type Sink } from './reader.ts';

const MAX_HOPS = 16;
/** Highest number of revisions of an object. A file that is signed and annotated repeatedly has about ten. */
const MAX_REVISIONS = 100;

/** Table of all revisions of each object. A file that was saved incrementally has several (ISO 32000-1 §7.5.6). */
export class ObjectTable {
  readonly #values = new Map<number, PdfValue[]>();

  set(number: number, value: PdfValue): void {
    const known = this.#values.get(number);
    if (known === undefined) this.#values.set(number, [value]);
    else if (known.push(value) > MAX_REVISIONS) throw corrupt('The PDF has too many revisions of one object.');
  }

  /** Follows references to the last revision. Returns undefined if they form a cycle. */
  resolve(value: PdfValue | undefined): PdfValue | undefined {
    let found = value;
    for (let hops = 0; isKind(found, 'reference'); hops++)
      found = hops < MAX_HOPS ? this.#values.get(found.number)?.at(-1) : undefined;
    return found;
  }

  /**
   * Follows references to every revision, except those of objects in `seen`, and adds the visited objects to `seen`.
   */
  all(value: PdfValue | undefined, seen = new Set<number>()): PdfValue[] {
    const found: PdfValue[] = [];
    const open = value === undefined ? [] : [value];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (!isKind(next, 'reference')) found.push(next);
      else if (!seen.has(next.number)) {
        seen.add(next.number);
        for (const revision of this.#values.get(next.number) ?? []) open.push(revision);
      }
    }
    return found;
  }

  /** Follows references to the last revision, or to all of them. */
  revisions(value: PdfValue | undefined, which: 'last' | 'all'): PdfValue[] {
    if (which === 'all') return this.all(value);
    const last = this.resolve(value);
    return last === undefined ? [] : [last];
  }
}

interface PdfObject {
  /** Null for the dictionary of a trailer, and if no number precedes `obj`. */
  readonly objectId: ObjectId | null;
  readonly value: PdfValue;
  /** Offset of the data of a stream; null if the object is not a stream. */
  readonly data: number | null;
}

const NUMBER_BEFORE = /(\d{1,10})[\0\t\n\f\r ]+(\d{1,5})[\0\t\n\f\r ]*$/;
const OBJECT = 'obj';
const TRAILER = 'trailer';
const LOOK_BEHIND = 64;
const MAY_PRECEDE: ReadonlySet<number | undefined> = new Set(Buffer.from('\0\t\n\f\r 0123456789'));

/**
 * Reads every object that a viewer could reach, in the order of the file. Cross-reference tables can point anywhere,
 * even into a string or a stream, so this function reads from every occurrence of `obj` or `trailer` and ignores the
 * tables.
 */
export function* objectsOf(bytes: Buffer, budget: Budget, sink: Sink): Generator<PdfObject> {
  for (const { start, objectId } of beginningsOf(bytes)) {
    const reader = new PdfReader(bytes, start, budget, sink);
    const value = reader.read();
    yield { objectId, value, data: isKind(value, 'dictionary') ? streamData(bytes, reader) : null };
  }
}

function* beginningsOf(bytes: Buffer): Generator<{ start: number; objectId: ObjectId | null }> {
  let object = bytes.indexOf(OBJECT);
  let trailer = bytes.indexOf(TRAILER);
  while (object !== -1 || trailer !== -1) {
    if (trailer !== -1 && (object === -1 || trailer < object)) {
      yield { start: trailer + TRAILER.length, objectId: null };
      trailer = bytes.indexOf(TRAILER, trailer + 1);
      continue;
    }
    // Any other byte before it makes it a different keyword, such as `endobj`.
    if (MAY_PRECEDE.has(bytes[object - 1])) {
      yield {
        start: object + OBJECT.length,
        objectId: objectIdIn(bytes.toString('latin1', Math.max(0, object - LOOK_BEHIND), object)),
      };
    }
    object = bytes.indexOf(OBJECT, object + 1);
  }
}

function objectIdIn(before: string): ObjectId | null {
  const [, number, generation] = NUMBER_BEFORE.exec(before) ?? [];
  return number === undefined ? null : { number: Number(number), generation: Number(generation) };
}

/** Returns the offset of stream data, which follow the keyword `stream` and CR LF or LF (ISO 32000-1 §7.3.8.1). */
function streamData(bytes: Buffer, reader: PdfReader): number | null {
  const next = reader.read();
  if (!isKind(next, 'keyword') || next.text !== 'stream') return null;
  const carriageReturn = bytes[reader.position] === 0x0d ? 1 : 0;
  const lineFeed = bytes[reader.position + carriageReturn] === 0x0a ? 1 : 0;
  return reader.position + carriageReturn + lineFeed;
}

const MAX_OBJECTS = 200_000;

/**
 * Returns whether the dictionary belongs to an object stream (ISO 32000-1 §7.5.7). Tests the two entries that viewers
 * need and not `Type`, which may be an indirect reference.
 */
export function isObjectStream({ entries }: PdfDictionary): boolean {
  return entries.has('N') && entries.has('First');
}

/** A stream with its data. */
export interface StreamData {
  readonly dictionary: PdfDictionary;
  /** File content from the first byte of the data on, because compressed data marks its own end. */
  readonly rest: Buffer;
  /** Whether a line feed precedes the data, so that all readers agree on where the data start. */
  readonly isClear: boolean;
}

/**
 * Reads the objects of an object stream. Rejects a stream that can be read in two ways, because a viewer could find
 * other objects than this function.
 */
export function readObjectStream(
  stream: StreamData,
  budget: Budget,
  sink: Sink,
): { number: number; value: PdfValue }[] {
  const { dictionary } = stream;
  const [count, first] = [integer(dictionary.entries.get('N')), integer(dictionary.entries.get('First'))];
  if (count === null || first === null || dictionary.ambiguous)
    throw corrupt('An object stream of the PDF cannot be read in one way only.');
  if (count > MAX_OBJECTS) throw corrupt('An object stream of the PDF is too large.');
  const data = decode(stream, budget);
  const header = new PdfReader(data, 0, budget, sink);
  const objects: { number: number; value: PdfValue }[] = [];
  for (let i = 0; i < count; i++) {
    const [number, offset] = [integer(header.read()), integer(header.read())];
    if (number === null || offset === null)
      throw corrupt('An object stream of the PDF has fewer objects than it says.');
    objects.push({ number, value: new PdfReader(data, first + offset, budget, sink).read() });
  }
  return objects;
}

/**
 * Unpacks an object stream, which is compressed with Deflate or not at all. Readers differ in where an uncompressed
 * stream ends, so everything up to the end of the file counts as part of it.
 */
function decode({ dictionary: { entries }, rest, isClear }: StreamData, budget: Budget): Buffer {
  const filter = entries.get('Filter');
  const filters = isKind(filter, 'array') ? filter.items.map(nameOf) : [nameOf(filter)];
  if (filter === undefined && !entries.has('DP') && !entries.has('F') && isClear) return rest;
  const deflated = filters.length === 1 && (filters[0] === 'FlateDecode' || filters[0] === 'Fl');
  if (!deflated || entries.has('DP') || hasPredictor(entries.get('DecodeParms')))
    throw corrupt('An object stream of the PDF has an encoding that cannot be inspected.');
  const data = inflated(rest, budget.unpackable);
  if (typeof data === 'string') throw corrupt('An object stream of the PDF cannot be unpacked, or is too large.');
  consume(budget, data.consumed);
  unpack(budget, data.bytes.length);
  return data.bytes;
}

/**
 * Returns whether a predictor is declared. No writer uses one for object streams, and it could hide names from here.
 */
function hasPredictor(parameters: PdfValue | undefined): boolean {
  if (parameters === undefined || (isKind(parameters, 'keyword') && parameters.text === 'null')) return false;
  if (isKind(parameters, 'array')) return parameters.items.some(hasPredictor);
  return (
    !isKind(parameters, 'dictionary') ||
    parameters.ambiguous ||
    (parameters.entries.has('Predictor') && parameters.entries.get('Predictor') !== 1)
  );
}

function integer(value: PdfValue | undefined): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;
}
