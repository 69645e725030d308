import { Problem } from './problem.ts';

const LEAP_SECOND = /:60(?=[.Zz+-])/;

/**
 * An RFC 3339 timestamp, or null. The validator lets offsets without minutes through, which the RFC does not know; a leap
 * second, which `Date` does not know, is the second after.
 */
export function readInstant(text: string): Date | null {
  const leap = LEAP_SECOND.test(text);
  const instant = new Date(text.replace(LEAP_SECOND, ':59').toUpperCase());
  if (Number.isNaN(instant.getTime())) return null;
  return leap ? new Date(instant.getTime() + 1000) : instant;
}

/** One from the query, if it is there. The database must not read the text: it knows fewer years and offsets than the RFC. */
export function instantParameter(parameter: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const instant = readInstant(text);
  if (instant === null) {
    throw new Problem('invalid_parameter', { errors: [{ parameter, code: 'format', message: 'must be a timestamp as in RFC 3339' }] });
  }
  return instant;
}
