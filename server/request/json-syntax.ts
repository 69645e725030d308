/**
 * Finds out why a body is not acceptable JSON, and at which character. Used by receive.ts and json-limits.ts after the
 * engine's fast parser has refused the body, because the messages of that parser differ between versions and quote the
 * content. The messages made here must not quote it.
 */
interface JsonFault {
  readonly position: number;
  readonly reason: string;
}

class SyntaxFault extends Error {
  readonly position: number;

  constructor(position: number, reason: string) {
    super(reason);
    this.position = position;
  }
}

/** Maximum nesting depth, which bounds every recursion over a body. No schema of the contract nests as deeply. */
export const MAX_DEPTH = 64;

/** A number or a literal name (RFC 8259 §3 and §6). */
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const SIMPLE_ESCAPES = '"\\/bfnrt';

/**
 * Finds the first position at which a text is not JSON, repeats a name or is nested too deeply. Only called for bodies
 * that are refused, so the code is simple rather than fast.
 */
export function locateJsonFault(text: string): JsonFault {
  try {
    new Scanner(text).scan();
  } catch (fault) {
    if (fault instanceof SyntaxFault) return { position: fault.position, reason: fault.message };
    throw fault;
  }
  return { position: 0, reason: 'is not JSON' };
}

class Scanner {
  readonly #text: string;
  #at = 0;
  /** One entry for each open container: the names seen in an object, null for an array. */
  readonly #open: (Set<string> | null)[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  scan(): void {
    do {
      const opened = this.#value();
      if (!opened) this.#afterValue();
    } while (this.#open.length > 0);
    this.#space();
    if (this.#at < this.#text.length) this.#fail('goes on after the JSON value');
  }

  /** Reads a scalar, or opens a container. Returns true if a value is due next. */
  #value(): boolean {
    this.#space();
    const character = this.#text[this.#at];
    if (character === '{' || character === '[') {
      this.#at++;
      this.#space();
      if (this.#text[this.#at] === (character === '{' ? '}' : ']')) {
        this.#at++;
        return false;
      }
      if (this.#open.length === MAX_DEPTH) this.#fail(`is nested deeper than ${MAX_DEPTH} levels`);
      this.#open.push(character === '{' ? new Set() : null);
      if (character === '{') this.#name();
      return true;
    }
    if (character === '"') this.#string();
    else {
      SCALAR.lastIndex = this.#at;
      const scalar = SCALAR.exec(this.#text);
      if (scalar === null) this.#fail();
      this.#at += scalar[0].length;
    }
    return false;
  }

  /** Closes every container that ends here, and reads the comma (and name) before the next value. */
  #afterValue(): void {
    while (this.#open.length > 0) {
      const names = this.#open.at(-1) as Set<string> | null;
      this.#space();
      if (this.#text[this.#at] === ',') {
        this.#at++;
        if (names !== null) this.#name();
        return;
      }
      if (this.#text[this.#at] !== (names === null ? ']' : '}')) this.#fail();
      this.#at++;
      this.#open.pop();
    }
  }

  #name(): void {
    this.#space();
    const start = this.#at;
    if (this.#text[start] !== '"') this.#fail();
    this.#string();
    const name = JSON.parse(this.#text.slice(start, this.#at)) as string;
    const names = this.#open.at(-1) as Set<string>;
    if (names.has(name)) throw new SyntaxFault(start, 'repeats a member name');
    names.add(name);
    this.#space();
    if (this.#text[this.#at] !== ':') this.#fail();
    this.#at++;
  }

  #string(): void {
    this.#at++;
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined || character < ' ') this.#fail();
      this.#at++;
      if (character === '"') return;
      if (character === '\\') this.#escape();
    }
  }

  #escape(): void {
    const character = this.#text[this.#at] ?? '';
    if (character === 'u') {
      if (!/^[0-9a-fA-F]{4}$/.test(this.#text.slice(this.#at + 1, this.#at + 5))) this.#fail();
      this.#at += 5;
    } else if (character !== '' && SIMPLE_ESCAPES.includes(character)) this.#at++;
    else this.#fail();
  }

  #space(): void {
    while (' \t\n\r'.includes(this.#text[this.#at] ?? '.')) this.#at++;
  }

  #fail(reason = 'is not JSON'): never {
    throw new SyntaxFault(this.#at, reason);
  }
}
