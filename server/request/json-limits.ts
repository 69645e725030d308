import * as generated from '../contract/generated/body-limits.ts';
import type { FieldError } from '../contract/problem.ts';
import { MAX_DEPTH } from './json-syntax.ts';
import { fieldError, MAX_ERRORS, pointerStep } from './validation-errors.ts';

/** An upper bound on what the schema allows for one value of a body. */
export interface BodyShape {
  /** The maximum number of characters of a text; undefined where the schema has no bound. */
  readonly text: number | undefined;
  readonly array: { readonly most: number; readonly each: BodyShape } | null;
  readonly object: { readonly most: number; readonly members: ReadonlyMap<string, BodyShape>; readonly each: BodyShape | null } | null;
}

export interface BodyLimits {
  readonly bytes: number;
  readonly shape: BodyShape;
}

type GeneratedShape = string | {
  readonly text?: number;
  readonly items?: number;
  readonly each?: GeneratedShape;
  readonly members?: Readonly<Record<string, GeneratedShape>>;
  readonly entries?: number;
};

/** The shapes that are generated from the contract; a string refers to the shape of that name. */
interface Generated {
  readonly bodyLimits: Readonly<Record<string, { readonly bytes: number; readonly shape: string }>>;
  readonly shapes: Readonly<Record<string, GeneratedShape>>;
}

/** The limits that the contract sets for the body of an operation; null when it has no body, or a file. */
export function bodyLimitsOf(operationId: string, { bodyLimits, shapes }: Generated = generated): BodyLimits | null {
  const limits = bodyLimits[operationId];
  return limits === undefined ? null : { bytes: limits.bytes, shape: new Linker(shapes).resolve(limits.shape) };
}

class Linker {
  readonly #shapes: Generated['shapes'];
  readonly #linked = new Map<string, BodyShape>();

  constructor(shapes: Generated['shapes']) {
    this.#shapes = shapes;
  }

  resolve(shapeOrName: GeneratedShape): BodyShape {
    if (typeof shapeOrName !== 'string') return this.#link(shapeOrName);
    const shape = this.#linked.get(shapeOrName) ?? this.resolve(this.#shapes[shapeOrName] as GeneratedShape);
    this.#linked.set(shapeOrName, shape);
    return shape;
  }

  #link({ text, items, each, members, entries }: Exclude<GeneratedShape, string>): BodyShape {
    const below = each === undefined ? null : this.resolve(each);
    const known = new Map(Object.entries(members ?? {}).map(([name, member]) => [name, this.resolve(member)]));
    return {
      text,
      array: items === undefined || below === null ? null : { most: items, each: below },
      object: members === undefined && entries === undefined ? null
        : { most: known.size + (entries ?? 0), members: known, each: entries === undefined ? null : below },
    };
  }
}

type JsonLimitsResult =
  | { readonly verdict: 'fits' | 'repeats a name' | 'is too deep' }
  | { readonly verdict: 'holds too much'; readonly errors: readonly FieldError[] };

/**
 * Compares a JSON text with the limits of its schema before it is parsed. Up to a hundred values too many are let through, as many as one
 * response names, so that the validator can report them together with everything else. With one more the scan ends at once, so that a
 * hostile body costs no more than it takes to recognise it. Repeated names are found here, because `JSON.parse` drops them; whether the text
 * is JSON at all is left to the parser.
 */
export function checkJsonLimits(text: string, root: BodyShape): JsonLimitsResult {
  return new JsonLimitsScan(text, root).scan();
}

/** A container that is open. */
interface Frame {
  /** Null where the schema has no such container. */
  readonly shape: BodyShape | null;
  readonly isObject: boolean;
  /** The schema has another value here. */
  readonly isMisplaced: boolean;
  /** Items, or members that the schema knows, that have begun. */
  count: number;
  name: string;
  readonly names: Set<string> | null;
  /** What the value that comes next may be; null where the schema has none. */
  next: BodyShape | null;
}

const QUOTE = 34;
const COMMA = 44;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** RFC 8259 §7: a character beyond the basic plane can be written as two escapes. */
const LONGEST_CHARACTER = 12;

class JsonLimitsScan {
  readonly #text: string;
  readonly #root: BodyShape;
  readonly #open: Frame[] = [];
  readonly #errors: FieldError[] = [];
  #frame: Frame | undefined;
  #nameIsDue = false;
  /** How many more values too many may come. */
  #spare = MAX_ERRORS;
  #isOverlong = false;
  #isRepeating = false;

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
          this.#begin(text.charCodeAt(i) === OPEN_OBJECT);
          break;
        case CLOSE_OBJECT:
        case CLOSE_ARRAY:
          this.#open.pop();
          this.#frame = this.#open.at(-1);
          this.#nameIsDue = false;
          break;
        default:
      }
    }
    if (this.#isRepeating) return { verdict: 'repeats a name' };
    return this.#spare < 0 || this.#isOverlong ? { verdict: 'holds too much', errors: this.#errors } : { verdict: 'fits' };
  }

  /** What the schema has for the value that begins here. */
  get #expected(): BodyShape | null {
    return this.#frame === undefined ? this.#root : this.#frame.next;
  }

  #begin(isObject: boolean): void {
    const expected = this.#expected;
    const known = expected !== null && (isObject ? expected.object : expected.array) !== null;
    this.#frame = { shape: known ? expected : null, isObject, isMisplaced: !known && expected !== null, count: 0, name: '', names: isObject ? new Set() : null, next: null };
    this.#open.push(this.#frame);
    this.#nameIsDue = isObject;
    if (!isObject) this.#item(this.#frame);
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
      if (object.each !== null && frame.count === object.most + 1) this.#report(fieldError('maxProperties', this.#pointer(-1), { limit: object.most }));
    }
  }

  /** A value for which the schema has no room, because it has no such container here. */
  #foreign(frame: Frame): void {
    frame.next = null;
    this.#spare--;
    if (!frame.isMisplaced || frame.count++ > 0) return;
    this.#report({ pointer: this.#pointer(-1), code: 'type', message: `must not be ${frame.isObject ? 'an object' : 'an array'}` });
  }

  /** What is too long however it is written goes no further, for the sake of the patterns that it would be held against. */
  #string(length: number): void {
    const most = this.#expected?.text;
    if (most === undefined || length <= most * LONGEST_CHARACTER) return;
    this.#isOverlong = true;
    this.#report(fieldError('maxLength', this.#pointer(), { limit: most }));
  }

  #report(error: FieldError): void {
    if (this.#errors.length < MAX_ERRORS) this.#errors.push(error);
  }

  /** RFC 6901, without what no text of the service may hold; `end` leaves out the innermost container. */
  #pointer(end?: number): string {
    return this.#open.slice(0, end).map(({ isObject, name, count }) => pointerStep(isObject ? name.replaceAll('\0', '').toWellFormed() : count - 1)).join('');
  }
}

/** The quotation mark that ends the string, or the end of the text. */
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

/** What is no escape stays as it is: the parser will say so. */
function unescaped(raw: string): string {
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return raw;
  }
}
