/**
 * Lenient parser of PDF objects (ISO 32000-1 §7.2, §7.3). It reports all names and strings while it reads, so that
 * active content is found even in places that a strict parser would not read. Used by the other files of this folder.
 */
import { corrupt } from '../checks.ts';
import { type Budget, spend } from './budget.ts';

/** A PDF object (ISO 32000-1 §7.3). A string has only its beginning as text. */
export type PdfValue = number | PdfName | PdfReference | PdfDictionary | PdfArray | PdfString | PdfOther;

interface PdfName {
  readonly kind: 'name';
  readonly name: string;
}
interface PdfReference {
  readonly kind: 'reference';
  readonly number: number;
}
/** `ambiguous` means that a key is repeated: some readers use the first value, this one uses the last. */
export interface PdfDictionary {
  readonly kind: 'dictionary';
  readonly entries: ReadonlyMap<string, PdfValue>;
  readonly ambiguous: boolean;
}
interface PdfArray {
  readonly kind: 'array';
  readonly items: readonly PdfValue[];
}
/** `raw` is the string as written in the file, with its delimiters. */
interface PdfString {
  readonly kind: 'string';
  readonly text: string;
  readonly raw: Buffer;
}
/** Booleans, null, keywords and closing brackets. */
type PdfOther = { [K in OtherKind]: { readonly kind: K; readonly text: string } }[OtherKind];
type OtherKind = 'keyword' | 'close-array' | 'close-dictionary' | 'end';

export function isKind<K extends Exclude<PdfValue, number>['kind']>(
  value: PdfValue | undefined,
  kind: K,
): value is Extract<PdfValue, { kind: K }> {
  return typeof value === 'object' && value.kind === kind;
}

export function nameOf(value: PdfValue | undefined): string | null {
  return isKind(value, 'name') ? value.name : null;
}

/** Number of characters of a string that are kept as text, enough to recognise the scheme of an address. */
const KEPT = 64;
/** Number of raw characters to decode. An escaped byte takes four characters, and a continued line three more. */
const WRITTEN = 8 * KEPT;
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
};

/** Decodes a raw string, written between parentheses or in hexadecimal digits (ISO 32000-1 §7.3.4). */
export function bytesOf({ raw }: Pick<PdfString, 'raw'>): Buffer {
  const written = raw.toString('latin1', 1, raw.length - 1);
  return raw[0] === 0x3c
    ? Buffer.from(written.replaceAll(/[^\da-f]/gi, '').replace(/^(?:..)*.$/, '$&0'), 'hex')
    : Buffer.from(unescaped(written), 'latin1');
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(?:([0-7]{1,3})|(\r\n|[^])|$)/g, (_, octal: string | undefined, escaped = '') => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
    return /^[\r\n]/.test(escaped) ? '' : (ESCAPES[escaped] ?? escaped);
  });
}

/**
 * Returns the beginning of a string in any text encoding. Removes byte order marks and NULs, so that ASCII text in
 * UTF-16 or UTF-8 becomes plain ASCII.
 */
export function beginningOf(bytes: Buffer): string {
  return bytes
    .toString('latin1', 0, WRITTEN)
    .replace(/^(?:\xfe\xff|\xff\xfe|\xef\xbb\xbf)/, '')
    .replaceAll('\0', '')
    .slice(0, KEPT);
}

/**
 * Receiver of everything that is read, with escapes resolved: names (keys and values), beginnings of strings,
 * dictionaries.
 */
export interface Sink {
  name(name: string): void;
  string(beginning: string): void;
  dictionary(dictionary: PdfDictionary): void;
}

const WHITE = classOf('\0\t\n\f\r ');
const DELIMITER = classOf('()<>[]{}/%');
const MAX_DEPTH = 64;
const MAX_NAME = 127;

/** Reads PDF objects from any offset of a file. Skips what it cannot understand, as viewers do. */
export class PdfReader {
  readonly #bytes: Buffer;
  readonly #budget: Budget;
  readonly #sink: Sink;
  position: number;

  constructor(bytes: Buffer, position: number, budget: Budget, sink: Sink) {
    this.#bytes = bytes;
    this.#budget = budget;
    this.#sink = sink;
    this.position = position;
  }

  /** Reads the object at the position. Two numbers and an R are a reference. */
  read(depth = 0): PdfValue {
    if (depth > MAX_DEPTH) throw corrupt('The PDF nests its objects too deeply.');
    const begin = this.position;
    const token = this.#token();
    spend(this.#budget, this.position - begin);
    if (typeof token === 'number') return this.#referenceOr(token);
    if (token.kind === 'keyword' && token.text === '[') return this.#array(depth);
    if (token.kind === 'keyword' && token.text === '<<') return this.#dictionary(depth);
    return token;
  }

  #array(depth: number): PdfValue {
    const items: PdfValue[] = [];
    for (;;) {
      const item = this.read(depth + 1);
      if (isKind(item, 'close-array') || isKind(item, 'end')) return { kind: 'array', items };
      items.push(item);
    }
  }

  #dictionary(depth: number): PdfValue {
    const entries = new Map<string, PdfValue>();
    let ambiguous = false;
    for (;;) {
      const key = this.read(depth + 1);
      if (isEnd(key)) break;
      if (!isKind(key, 'name')) continue;
      const value = this.read(depth + 1);
      if (isEnd(value)) break;
      if (entries.has(key.name)) ambiguous = true;
      entries.set(key.name, value);
    }
    const dictionary: PdfDictionary = { kind: 'dictionary', entries, ambiguous };
    this.#sink.dictionary(dictionary);
    return dictionary;
  }

  #referenceOr(number: number): PdfValue {
    const after = this.position;
    const isReference =
      Number.isInteger(number) &&
      number >= 0 &&
      isDigit(this.#peekPastSpace()) &&
      typeof this.#token() === 'number' &&
      isR(this.#token());
    // The bytes count even if they are not a reference, because the string after a number may be as long as the file.
    spend(this.#budget, this.position - after);
    if (isReference) return { kind: 'reference', number };
    this.position = after;
    return number;
  }

  #token(): PdfValue {
    const first = this.#peekPastSpace();
    if (first === undefined) return other('end', '');
    const character = String.fromCharCode(first);
    if (character === '/') return this.#name();
    if (character === '(') return this.#string();
    if (character === '<' && this.#bytes[this.position + 1] === 0x3c) return this.#mark('keyword', '<<');
    if (character === '<') return this.#hexString();
    if (character === '>' && this.#bytes[this.position + 1] === 0x3e) return this.#mark('close-dictionary', '>>');
    if (character === ']') return this.#mark('close-array', ']');
    if (DELIMITER.has(first)) return this.#mark('keyword', character);
    const word = this.#regular();
    const number = /^[+-]?(\d+\.?\d*|\.\d+)$/.test(word) ? Number(word) : Number.NaN;
    return Number.isNaN(number) ? other('keyword', word) : number;
  }

  /** Skips white space and comments. Returns the next byte, or undefined at the end. */
  #peekPastSpace(): number | undefined {
    for (;;) {
      const byte = this.#bytes[this.position];
      if (byte === undefined) return undefined;
      if (byte === 0x25) this.#skipComment();
      else if (WHITE.has(byte)) this.position += 1;
      else return byte;
    }
  }

  #skipComment(): void {
    for (
      let byte = this.#bytes[this.position];
      byte !== undefined && byte !== 0x0a && byte !== 0x0d;
      byte = this.#bytes[this.position]
    )
      this.position += 1;
  }

  #name(): PdfValue {
    this.position += 1;
    const raw = this.#regular();
    const decoded = raw.replaceAll(/#([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    // Some readers end a name at an escaped NUL, which no writer uses.
    const name = decoded.split('\0', 1)[0] as string;
    this.#sink.name(name);
    return { kind: 'name', name };
  }

  #regular(): string {
    const begin = this.position;
    for (
      let byte = this.#bytes[begin];
      byte !== undefined && !WHITE.has(byte) && !DELIMITER.has(byte);
      byte = this.#bytes[this.position]
    )
      this.position += 1;
    return this.#bytes.toString('latin1', begin, Math.min(this.position, begin + 4 * MAX_NAME));
  }

  #string(): PdfValue {
    const begin = this.position;
    for (let open = 0; this.position < this.#bytes.length; this.position += 1) {
      const byte = this.#bytes[this.position];
      if (byte === 0x5c) this.position += 1;
      else if (byte === 0x28) open += 1;
      else if (byte === 0x29 && --open === 0) break;
    }
    this.position = Math.min(this.position + 1, this.#bytes.length);
    return this.#reportString(this.#bytes.subarray(begin, this.position));
  }

  #hexString(): PdfValue {
    const close = this.#bytes.indexOf(0x3e, this.position);
    const begin = this.position;
    this.position = close === -1 ? this.#bytes.length : close + 1;
    return this.#reportString(this.#bytes.subarray(begin, this.position));
  }

  /** Reports the beginning of a string. A string without an end extends to the end of the file. */
  #reportString(raw: Buffer): PdfValue {
    const text = beginningOf(bytesOf({ raw: raw.length > WRITTEN ? raw.subarray(0, WRITTEN) : raw }));
    this.#sink.string(text);
    return { kind: 'string', text, raw };
  }

  #mark(kind: PdfOther['kind'], text: string): PdfValue {
    this.position += text.length;
    return other(kind, text);
  }
}

function other(kind: PdfOther['kind'], text: string): PdfOther {
  return { kind, text } as PdfOther;
}

function classOf(characters: string): ReadonlySet<number> {
  return new Set([...characters].map((character) => character.charCodeAt(0)));
}

function isEnd(token: PdfValue): boolean {
  return isKind(token, 'close-dictionary') || isKind(token, 'end');
}

function isR(token: PdfValue): boolean {
  return isKind(token, 'keyword') && token.text === 'R';
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
