import type { Budget } from './budget.ts';
import { PdfReader, type Sink } from './reader.ts';
import { isKind, type PdfValue } from './values.ts';

export interface PdfObject {
  /** Null for the dictionary of a trailer, and when no number stands before `obj`. */
  readonly number: number | null;
  readonly value: PdfValue;
  /** Where the data of a stream begins, else null. */
  readonly data: number | null;
}

const NUMBER_BEFORE = /(\d{1,10})[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]*$/;
const OBJECT = 'obj';
const TRAILER = 'trailer';
const LOOK_BEHIND = 64;
const MAY_PRECEDE: ReadonlySet<number | undefined> = new Set(Buffer.from('\0\t\n\f\r 0123456789'));

/**
 * Every object that a viewer could reach, in the order of the file. Viewers go by byte offsets, also into the middle of a
 * string or a stream, so this reads from each place where `obj` or `trailer` stands and trusts no table.
 */
export function* objectsOf(bytes: Buffer, budget: Budget, sink: Sink): Generator<PdfObject> {
  for (const { start, number } of beginningsOf(bytes)) {
    const reader = new PdfReader(bytes, start, budget, sink);
    const value = reader.read();
    yield { number, value, data: isKind(value, 'dictionary') ? streamData(bytes, reader) : null };
  }
}

function* beginningsOf(bytes: Buffer): Generator<{ start: number; number: number | null }> {
  let object = bytes.indexOf(OBJECT);
  let trailer = bytes.indexOf(TRAILER);
  while (object !== -1 || trailer !== -1) {
    if (trailer !== -1 && (object === -1 || trailer < object)) {
      yield { start: trailer + TRAILER.length, number: null };
      trailer = bytes.indexOf(TRAILER, trailer + 1);
      continue;
    }
    // Anything else before it, as in `endobj`, makes it another word.
    if (MAY_PRECEDE.has(bytes[object - 1])) {
      yield { start: object + OBJECT.length, number: numberIn(bytes.toString('latin1', Math.max(0, object - LOOK_BEHIND), object)) };
    }
    object = bytes.indexOf(OBJECT, object + 1);
  }
}

function numberIn(before: string): number | null {
  const digits = NUMBER_BEFORE.exec(before)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** ISO 32000-1 §7.3.8.1: the keyword `stream`, then CR LF or LF, then the data. */
function streamData(bytes: Buffer, reader: PdfReader): number | null {
  const next = reader.read();
  if (!isKind(next, 'keyword') || next.text !== 'stream') return null;
  const carriageReturn = bytes[reader.position] === 0x0d ? 1 : 0;
  const lineFeed = bytes[reader.position + carriageReturn] === 0x0a ? 1 : 0;
  return reader.position + carriageReturn + lineFeed;
}
