/**
 * Compares a JSON text with the limits of its schema before it is parsed. Used by receive.ts. It bounds what a hostile
 * body can cost; whether the values are valid is decided by the validator afterwards.
 */
import type { FieldError } from '../contract/problem.ts';
import type { BodyShape } from './body-limits.ts';
import { MAX_DEPTH } from './json-syntax.ts';
import { fieldError, MAX_ERRORS, pointerStep } from './validation-errors.ts';

type JsonLimitsResult =
  | { readonly verdict: 'fits' | 'repeats a name' | 'is too deep' }
  | { readonly verdict: 'holds too much'; readonly errors: readonly FieldError[] };

/**
 * Compares a JSON text with the limits of its schema before the text is parsed. Up to a hundred excess values are let
 * through, as many as one response names, so that the validator can report them together with all other errors. At the
 * next one the scan ends at once, so that a hostile body costs no more than it takes to recognise it. Repeated names
 * are found here, because `JSON.parse` drops them; whether the text is JSON at all is left to the parser.
 */
export function checkJsonLimits(text: string, root: BodyShape): JsonLimitsResult {
  return new JsonLimitsScan(text, root).scan();
}

/** An open container. */
interface Frame {
  /** Null if the schema has no such container at this position. */
  readonly shape: BodyShape | null;
  readonly isObject: boolean;
  /** Whether the schema expects another kind of value at this position. */
  readonly isMisplaced: boolean;
  /** Number of items, or of members that the schema knows, that have started. */
  count: number;
  name: string;
  readonly names: Set<string> | null;
  /** Shape of the next value; null if the schema allows none. */
  next: BodyShape | null;
  /** Number of bytes of the text before the container, if the container is measured. */
  readonly start: number | null;
  /** Smallest maximum of bytes of this container and those around it. */
  readonly mostBytes: number;
}

const QUOTE = 34;
const COMMA = 44;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Longest way to write a character: one beyond the basic plane can be written as two escapes (RFC 8259 §7). */
const LONGEST_CHARACTER = 12;

class JsonLimitsScan {
  readonly #text: string;
  readonly #root: BodyShape;
  readonly #open: Frame[] = [];
  readonly #errors: FieldError[] = [];
  #frame: Frame | undefined;
  #nameIsDue = false;
  /** Number of further excess values that are accepted. */
  #spare = MAX_ERRORS;
  #isOverlong = false;
  #isRepeating = false;
  /** Part of the text whose bytes are counted, and their number. */
  #measured = 0;
  #bytes = 0;

  constructor(text: string, root: BodyShape) {
    this.#text = text;
    this.#root = root;
  }

  scan(): JsonLimitsResult {
    const text = this.#text;
    for (let i = 0; i < text.length && this.#spare >= 0 && !this.#isRepeating; i++) {
      switch (text.charCodeAt(i)) {
        case QUOTE: {
          const end = endOfString(text, i);
          if (this.#nameIsDue) this.#name(text.slice(i + 1, end));
          else if (end < text.length) this.#string(end - i - 1);
          i = end;
          break;
        }
        case COMMA:
          if (this.#frame?.isObject === true) this.#nameIsDue = true;
          else if (this.#frame !== undefined) this.#item(this.#frame);
          break;
        case OPEN_OBJECT:
        case OPEN_ARRAY:
          if (this.#open.length === MAX_DEPTH) return { verdict: 'is too deep' };
          this.#begin(text.charCodeAt(i) === OPEN_OBJECT, i);
          break;
        case CLOSE_OBJECT:
        case CLOSE_ARRAY:
          this.#end(i);
          break;
        default:
      }
    }
    if (this.#isRepeating) return { verdict: 'repeats a name' };
    return this.#spare < 0 || this.#isOverlong
      ? { verdict: 'holds too much', errors: this.#errors }
      : { verdict: 'fits' };
  }

  /** Shape that the schema has for the value that begins here. */
  get #expected(): BodyShape | null {
    return this.#frame === undefined ? this.#root : this.#frame.next;
  }

  #begin(isObject: boolean, at: number): void {
    const expected = this.#expected;
    const known = expected !== null && (isObject ? expected.object : expected.array) !== null;
    const around = this.#frame?.mostBytes ?? Number.POSITIVE_INFINITY;
    const mostBytes = Math.min(around, (isObject ? expected?.object?.bytes : undefined) ?? around);
    this.#frame = {
      shape: known ? expected : null,
      isObject,
      isMisplaced: !known && expected !== null,
      count: 0,
      name: '',
      names: isObject ? new Set() : null,
      next: null,
      // An object whose limit is not below that of an object around it fits if the other does.
      start: mostBytes < around ? this.#bytesBefore(at) : null,
      mostBytes,
    };
    this.#open.push(this.#frame);
    this.#nameIsDue = isObject;
    if (!isObject) this.#item(this.#frame);
  }

  #end(at: number): void {
    const { start = null, mostBytes = 0 } = this.#open.at(-1) ?? {};
    if (start !== null && this.#bytesBefore(at + 1) - start > mostBytes) {
      this.#isOverlong = true;
      this.#report(fieldError('x-max-bytes', this.#pointer(-1), { limit: mostBytes }));
    }
    this.#open.pop();
    this.#frame = this.#open.at(-1);
    this.#nameIsDue = false;
  }

  /** Counts the bytes (UTF-8) of the text before this character. No character is counted twice. */
  #bytesBefore(at: number): number {
    this.#bytes += Buffer.byteLength(this.#text.slice(this.#measured, at));
    this.#measured = at;
    return this.#bytes;
  }

  #item(frame: Frame): void {
    const array = frame.shape?.array ?? null;
    if (array === null) return this.#foreign(frame);
    frame.next = array.each;
    if (++frame.count <= array.most) return;
    this.#spare--;
    if (frame.count === array.most + 1) this.#report(fieldError('maxItems', this.#pointer(-1), { limit: array.most }));
  }

  #name(raw: string): void {
    const frame = this.#frame as Frame;
    this.#nameIsDue = false;
    frame.name = raw.includes('\\') ? unescaped(raw) : raw;
    if (frame.names?.has(frame.name) === true) this.#isRepeating = true;
    frame.names?.add(frame.name);
    const object = frame.shape?.object ?? null;
    if (object === null) return this.#foreign(frame);
    frame.next = object.members.get(frame.name) ?? object.each;
    if (frame.next === null) {
      this.#spare--;
      this.#report(fieldError('additionalProperties', this.#pointer()));
    } else if (++frame.count > object.most) {
      this.#spare--;
      if (object.each !== null && frame.count === object.most + 1)
        this.#report(fieldError('maxProperties', this.#pointer(-1), { limit: object.most }));
    }
  }

  /** Counts a value that the schema does not allow, because it has no such container at this position. */
  #foreign(frame: Frame): void {
    frame.next = null;
    this.#spare--;
    if (!frame.isMisplaced || frame.count++ > 0) return;
    this.#report({
      pointer: this.#pointer(-1),
      code: 'type',
      message: `must not be ${frame.isObject ? 'an object' : 'an array'}`,
    });
  }

  /** Refuses a string that is too long in every notation, so that it is never matched against a pattern. */
  #string(length: number): void {
    const most = this.#expected?.text;
    if (most === undefined || length <= most * LONGEST_CHARACTER) return;
    this.#isOverlong = true;
    this.#report(fieldError('maxLength', this.#pointer(), { limit: most }));
  }

  #report(error: FieldError): void {
    if (this.#errors.length < MAX_ERRORS) this.#errors.push(error);
  }

  /**
   * Returns the JSON Pointer (RFC 6901), without characters that no text of the service may contain; `end` leaves out
   * the innermost container.
   */
  #pointer(end?: number): string {
    return this.#open
      .slice(0, end)
      .map(({ isObject, name, count }) => pointerStep(isObject ? name.replaceAll('\0', '').toWellFormed() : count - 1))
      .join('');
  }
}

/** Returns the index of the quotation mark that ends the string, or the end of the text. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

/** Resolves escapes. An invalid escape stays as it is, because the parser reports it. */
function unescaped(raw: string): string {
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return raw;
  }
}
