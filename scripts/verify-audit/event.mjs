/** Hash of an event. */
import { createHash } from 'node:crypto';

/** The log is invalid from this event on. */
export class Invalid extends Error {
  constructor(sequence, kind, detail) {
    super(detail);
    Object.assign(this, { sequence, kind, detail });
  }
}

export const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
export const nodeHash = (left, right) => sha256(Buffer.of(1), left, right);

/**
 * JSON Canonicalization Scheme (RFC 8785): members sorted by UTF-16 code units, numbers and strings
 * as ECMAScript writes them.
 */
export function canonical(value) {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('not a number of JSON');
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  return `{${Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)
    .join(',')}}`;
}

/** Checks the hash of an event; `prevHash` is null if the previous event is not known. */
export function checkEvent({ hash, ...content }, sequence, prevHash) {
  if (content.sequence !== sequence)
    throw new Invalid(sequence, 'gap', `The event is missing; event ${content.sequence} is in its place.`);
  if (prevHash !== null && content.prevHash !== prevHash)
    throw new Invalid(sequence, 'link_broken', 'The event does not continue the one before it.');
  const leaf = sha256(Buffer.of(0), canonical(content));
  if (leaf.toString('hex') !== hash) throw new Invalid(sequence, 'hash_mismatch', 'The event is not what was hashed.');
  return leaf;
}
