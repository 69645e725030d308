import { Problem } from '../../http/problem.ts';

const LEAP_SECOND = /:60(?=[.Zz+-])/;

/**
 * An RFC 3339 timestamp from the query. The validator lets offsets without minutes through, which the RFC does not know; a
 * leap second, which `Date` does not know, is the second after.
 */
export function parseInstant(parameter: string, text: string): Date {
  const leap = LEAP_SECOND.test(text);
  const instant = new Date(text.replace(LEAP_SECOND, ':59').toUpperCase());
  if (Number.isNaN(instant.getTime())) {
    throw new Problem('invalid_parameter', { errors: [{ parameter, code: 'format', message: 'must be a timestamp as in RFC 3339' }] });
  }
  return leap ? new Date(instant.getTime() + 1000) : instant;
}

/** The time of a change: now, and in any case later than the change before, so that polling by time misses none. */
export function timeOfChange(now: Date, previous: string): string {
  return new Date(Math.max(now.getTime(), Date.parse(previous) + 1)).toISOString();
}
