import { isUtf8 } from 'node:buffer';
import type { Shape } from './body-limits.ts';
import { faultOf, MAX_DEPTH } from './json-fault.ts';
import { measure } from './json-limits.ts';
import { Problem } from './problem.ts';

/**
 * Reads a JSON body strictly: what two readers could understand differently is refused (RFC 8259 §4, §8; RFC 7493).
 * What holds more than its schema allows is not even parsed. The engine's parser does the work. Duplicate names are noticed by
 * comparing the number of names in the text with the number in the value, and only a body that fails is read again slowly to say where.
 */
export function readJson(bytes: Buffer, shape: Shape): unknown {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) throw malformed('starts with a byte order mark', 0);
  if (!isUtf8(bytes)) throw malformed('is not valid UTF-8');
  const text = bytes.toString('utf8');
  const measured = measure(text, shape);
  if (!measured.fits) {
    if (measured.tooDeep) throw malformed(`is nested deeper than ${MAX_DEPTH} levels`);
    throw measured.errors.length === 0 ? malformedAt(text) : new Problem('validation_failed', { errors: measured.errors });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformedAt(text);
  }
  if (countNames(value, text.includes('\\u')) !== measured.names) throw malformedAt(text);
  return value;
}

/** Number of object names in the value, whose depth is bounded; where escapes occur, refuses text that no database stores. */
function countNames(value: unknown, escaped: boolean): number {
  if (typeof value === 'string') {
    if (escaped) refuseUnstorable(value);
    return 0;
  }
  if (value === null || typeof value !== 'object') return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countNames(item, escaped);
    return count;
  }
  for (const name of Object.keys(value)) {
    if (escaped) refuseUnstorable(name);
    count += 1 + countNames((value as Record<string, unknown>)[name], escaped);
  }
  return count;
}

/** Only escapes can bring these in: raw ones are refused by the UTF-8 check and by the parser. */
function refuseUnstorable(text: string): void {
  if (text.includes('\0')) throw malformed('contains the character NUL');
  if (!text.isWellFormed()) throw malformed('contains a lone surrogate');
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
