import { corrupt } from '../refusal.ts';
import { spend, type Budget } from './budget.ts';
import { isKind, type PdfOther, type PdfValue } from './values.ts';

/** Told of every name that is read, as a key or as a value, with escapes resolved. */
export type NameSink = (name: string) => void;

const WHITE = classOf('\0\t\n\f\r ');
const DELIMITER = classOf('()<>[]{}/%');
const MAX_DEPTH = 64;
const MAX_NAME = 127;

/** Reads PDF objects from any place of a file, as forgiving as viewers are: what it cannot make sense of, it skips. */
export class PdfReader {
  readonly #bytes: Buffer;
  readonly #budget: Budget;
  readonly #onName: NameSink;
  position: number;

  constructor(bytes: Buffer, position: number, budget: Budget, onName: NameSink) {
    this.#bytes = bytes;
    this.#budget = budget;
    this.#onName = onName;
    this.position = position;
  }

  /** The object at the position; two numbers and an R are a reference. */
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
    for (;;) {
      const key = this.read(depth + 1);
      if (isKind(key, 'close-dictionary') || isKind(key, 'end')) return { kind: 'dictionary', entries };
      if (!isKind(key, 'name')) continue;
      const value = this.read(depth + 1);
      if (isKind(value, 'close-dictionary') || isKind(value, 'end')) return { kind: 'dictionary', entries };
      entries.set(key.name, value);
    }
  }

  #referenceOr(number: number): PdfValue {
    const after = this.position;
    const isReference = Number.isInteger(number) && number >= 0 && isDigit(this.#peekPastSpace())
      && typeof this.#token() === 'number' && isR(this.#token());
    // Also when it was in vain: what follows a number may be a string as long as the file.
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

  /** Skips white space and comments; the next byte, or undefined at the end. */
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
    for (let byte = this.#bytes[this.position]; byte !== undefined && byte !== 0x0a && byte !== 0x0d; byte = this.#bytes[this.position]) this.position += 1;
  }

  #name(): PdfValue {
    this.position += 1;
    const raw = this.#regular();
    const name = raw.slice(0, MAX_NAME).replaceAll(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    this.#onName(name);
    return { kind: 'name', name };
  }

  #regular(): string {
    const begin = this.position;
    for (let byte = this.#bytes[begin]; byte !== undefined && !WHITE.has(byte) && !DELIMITER.has(byte); byte = this.#bytes[this.position]) this.position += 1;
    return this.#bytes.toString('latin1', begin, Math.min(this.position, begin + 4 * MAX_NAME));
  }

  #string(): PdfValue {
    for (let open = 0; this.position < this.#bytes.length; this.position += 1) {
      const byte = this.#bytes[this.position];
      if (byte === 0x5c) this.position += 1;
      else if (byte === 0x28) open += 1;
      else if (byte === 0x29 && --open === 0) break;
    }
    this.position = Math.min(this.position + 1, this.#bytes.length);
    return other('string', '');
  }

  #hexString(): PdfValue {
    const close = this.#bytes.indexOf(0x3e, this.position);
    this.position = close === -1 ? this.#bytes.length : close + 1;
    return other('string', '');
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

function isR(token: PdfValue): boolean {
  return isKind(token, 'keyword') && token.text === 'R';
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
