/**
 * What a log may show of headers and bodies. Used by report.ts. Everything is masked that is not known to be harmless;
 * a member listed wrongly would leak personal data.
 */
import { SHOWN } from '../generated/resources/shown.ts';
import type { Raw } from './log.ts';

const MASK = '***';

/** Headers known to be harmless. All others are masked, because an unknown header may contain a secret. */
const PLAIN = new Set([
  'accept',
  'cache-control',
  'content-length',
  'content-type',
  'date',
  'deprecation',
  'etag',
  'idempotent-replayed',
  'if-match',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'sunset',
  'user-agent',
  'x-environment',
  'x-next-poll-at',
  'x-poll-interval',
  'x-request-id',
]);

/**
 * Form of enumeration values. Anything else in such a member, for example an object serialised by mistake, is not
 * logged.
 */
const CODE = /^[a-z][\w.:/-]{0,59}$/i;

/** Returns the loggable part of headers and a body. */
export function detail({ headers, body }: Raw): { headers?: Record<string, string>; body?: unknown } {
  return {
    ...(headers && {
      headers: Object.fromEntries([...headers].map(([name, value]) => [name, PLAIN.has(name) ? value : MASK])),
    }),
    ...(body !== undefined && { body: shape(body, false) }),
  };
}

/** Returns the shape of a body, with every value masked unless the contract declares the member harmless. */
function shape(value: unknown, shown: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => shape(item, shown));
  if (typeof value !== 'object' || value === null)
    return value === null || (shown && (typeof value === 'boolean' || CODE.test(String(value)))) ? value : MASK;
  // A file or another object that is not a plain record has nothing to log.
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return MASK;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, SHOWN.has(name) ? shape(member, true) : MASK]),
  );
}
