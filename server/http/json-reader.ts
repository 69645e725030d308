import { isUtf8 } from 'node:buffer';
import { faultOf, MAX_DEPTH } from './json-fault.ts';
import { Problem } from './problem.ts';

/**
 * Reads a JSON body strictly: what two readers could understand differently is refused (RFC 8259 §4, §8; RFC 7493).
 * The engine's parser does the work. Duplicate names are noticed by comparing the number of names in the text with
 * the number in the value, and only a body that fails is read again slowly to say where.
 */
export function readJson(bytes: Buffer): unknown {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) throw malformed('starts with a byte order mark', 0);
  if (!isUtf8(bytes)) throw malformed('is not valid UTF-8');
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformedAt(text);
  }
  const escaped = text.includes('\\u');
  if (countNames(value, 0, escaped) !== countColons(text)) throw malformedAt(text);
  return value;
}

/** Number of object names in the value; refuses excessive depth and, where escapes occur, text that no database stores. */
function countNames(value: unknown, depth: number, escaped: boolean): number {
  if (typeof value === 'string') {
    if (escaped) refuseUnstorable(value);
    return 0;
  }
  if (value === null || typeof value !== 'object') return 0;
  if (depth === MAX_DEPTH) throw malformed(`is nested deeper than ${MAX_DEPTH} levels`);
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countNames(item, depth + 1, escaped);
    return count;
  }
  for (const name of Object.keys(value)) {
    if (escaped) refuseUnstorable(name);
    count += 1 + countNames((value as Record<string, unknown>)[name], depth + 1, escaped);
  }
  return count;
}

/** Only escapes can bring these in: raw ones are refused by the UTF-8 check and by the parser. */
function refuseUnstorable(text: string): void {
  if (text.includes('\0')) throw malformed('contains the character NUL');
  if (!text.isWellFormed()) throw malformed('contains a lone surrogate');
}

const QUOTE = 34;
const COLON = 58;
const BACKSLASH = 92;

/** Colons outside strings, one for each name; the text is known to be well-formed. */
function countColons(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === COLON) count++;
    else if (code === QUOTE) i = endOfString(text, i);
  }
  return count;
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

function malformedAt(text: string): Problem {
  const fault = faultOf(text);
  return malformed(fault.reason, fault.position);
}

/** The place, never the content: bodies carry personal data. */
function malformed(reason: string, position?: number): Problem {
  const place = position === undefined ? '' : ` at character ${position}`;
  return new Problem('malformed_json', { detail: `The body ${reason}${place}.` });
}
