import { isUtf8 } from 'node:buffer';
import type { Shape } from './body-limits.ts';
import { faultOf, MAX_DEPTH } from './json-fault.ts';
import { measure } from './json-limits.ts';
import { Problem } from './problem.ts';

/**
 * Reads a JSON body strictly: what two readers could understand differently is refused (RFC 8259 §4, §8; RFC 7493).
 * What holds more than its schema allows, or a name twice, is not even parsed. The engine's parser does the work, and only a body that
 * fails is read again slowly to say where.
 */
export function readJson(bytes: Buffer, shape: Shape): unknown {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) throw malformed('starts with a byte order mark', 0);
  if (!isUtf8(bytes)) throw malformed('is not valid UTF-8');
  const text = bytes.toString('utf8');
  const measured = measure(text, shape);
  if (measured.verdict === 'holds too much') throw new Problem('validation_failed', { errors: measured.errors });
  if (measured.verdict === 'is too deep') throw malformed(`is nested deeper than ${MAX_DEPTH} levels`);
  if (measured.verdict === 'repeats a name') throw malformedAt(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformedAt(text);
  }
  if (text.includes('\\u')) refuseUnstorable(value);
  return value;
}

/** Only escapes can bring in text that no database stores: raw, it is refused by the UTF-8 check and by the parser. */
function refuseUnstorable(value: unknown): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw malformed('contains the character NUL');
    if (!value.isWellFormed()) throw malformed('contains a lone surrogate');
  } else if (Array.isArray(value)) value.forEach(refuseUnstorable);
  else if (typeof value === 'object' && value !== null) Object.entries(value).flat().forEach(refuseUnstorable);
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
