import { readInstant } from '../../http/instant.ts';
import { Problem } from '../../http/problem.ts';

const LONGEST_YEARS = 2;

/** An expiry as it came over the wire, in the future and at most two years ahead; null never expires. */
export function readExpiry(text: string | null, now: Date): Date | null {
  if (text === null) return null;
  const expiry = readInstant(text);
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + LONGEST_YEARS);
  if (expiry === null || expiry <= now || expiry > latest) {
    throw new Problem('expiry_in_past', {
      errors: [{ pointer: '/expiresAt', code: 'expiry_in_past', message: `must be in the future and at most ${LONGEST_YEARS} years ahead` }],
    });
  }
  return expiry;
}
