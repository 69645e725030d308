/** Lengths of time in milliseconds, as `Date` counts them. */
export const SECOND_MILLISECONDS = 1000;
export const MINUTE_MILLISECONDS = 60 * SECOND_MILLISECONDS;
export const HOUR_MILLISECONDS = 60 * MINUTE_MILLISECONDS;
export const DAY_MILLISECONDS = 24 * HOUR_MILLISECONDS;

/** Lengths of time in seconds, as HTTP header fields, token lifetimes and the intervals of jobs count them. */
export const MINUTE_SECONDS = 60;
export const HOUR_SECONDS = 60 * MINUTE_SECONDS;
export const DAY_SECONDS = 24 * HOUR_SECONDS;

/**
 * Returns now, or an instant just after the previous change if that is later, so that polling by time misses no change.
 */
export function nextChangeTime(now: Date, previous: string): string {
  return new Date(Math.max(now.getTime(), Date.parse(previous) + 1)).toISOString();
}

const LEAP_SECOND = /:60(?=[.Zz+-])/;

/**
 * Reads an RFC 3339 timestamp. Returns null for any other text. The check of `format: date-time` accepts offsets
 * without minutes, which the RFC does not allow. `Date` has no leap seconds, so a leap second is read as the second
 * after it.
 */
export function readInstant(text: string): Date | null {
  const isLeapSecond = LEAP_SECOND.test(text);
  const instant = new Date(text.replace(LEAP_SECOND, ':59').toUpperCase());
  if (Number.isNaN(instant.getTime())) return null;
  return isLeapSecond ? new Date(instant.getTime() + SECOND_MILLISECONDS) : instant;
}
