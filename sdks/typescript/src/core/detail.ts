import { SHOWN } from '../generated/resources/shown.ts';
import type { Raw } from './log.ts';

const MASK = '***';

/** Headers known to be harmless. Whatever is not listed is masked: a secret in an unknown header must not slip through. */
const PLAIN = new Set([
  'accept', 'cache-control', 'content-length', 'content-type', 'date', 'deprecation', 'etag', 'idempotent-replayed', 'if-match', 'ratelimit',
  'ratelimit-policy', 'retry-after', 'sunset', 'user-agent', 'x-environment', 'x-next-poll-at', 'x-poll-interval', 'x-request-id',
]);

/** What values of enumerations look like. Whoever puts something else there by mistake, an object as text for example, must not find it in a log. */
const CODE = /^[a-z][\w.:/-]{0,59}$/i;

/** What a log may show of headers and a body. */
export function detail({ headers, body }: Raw): { headers?: Record<string, string>; body?: unknown } {
  return {
    ...(headers && { headers: Object.fromEntries([...headers].map(([name, value]) => [name, PLAIN.has(name) ? value : MASK])) }),
    ...(body !== undefined && { body: shape(body, false) }),
  };
}

/** The shape of a body with every value masked that the contract does not declare harmless. */
function shape(value: unknown, shown: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => shape(item, shown));
  if (typeof value !== 'object' || value === null) return value === null || (shown && (typeof value === 'boolean' || CODE.test(String(value)))) ? value : MASK;
  // A file or another object that is no plain record has nothing to show.
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return MASK;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, SHOWN.has(name) ? shape(member, true) : MASK]));
}
