/**
 * Units of time, reading of timestamps, and the types that keep the two clocks apart. Used everywhere. Business time
 * and real time must not be mixed; only `businessTime` turns one into the other.
 */

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
export function nextChangeTime(now: BusinessTime, previous: BusinessTimestamp): BusinessTimestamp {
  const earliest = addMilliseconds(readBusinessTime(previous), 1);
  return (now > earliest ? now : earliest).toISOString();
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

declare const business: unique symbol;

/**
 * Time on the clock of an environment, by which due dates, validity, retention and ages are counted. The clock of a
 * sandbox can be ahead of real time, so a `Date` of the real clock is not accepted in its place.
 */
export interface BusinessTime extends Date {
  readonly [business]: true;
  toISOString(): BusinessTimestamp;
}

/** Business time as text (RFC 3339), as it is stored and sent. */
export type BusinessTimestamp = string & { readonly [business]: true };

/** Time on the clock of the service: audit events, leases, sessions, quotas. Every `Date` but a business time. */
export interface RealTime extends Date {
  readonly [business]?: never;
}

/** Real time as text (RFC 3339). Every string but a business time. */
export type RealTimestamp = string & { readonly [business]?: never };

/**
 * Returns the business time of an environment whose clock is ahead by these milliseconds; the clock of `live` never is.
 * `test/house/clocks.test.ts` lists the callers, because this is where real time becomes business time.
 */
export function businessTime(realTime: RealTime, aheadMilliseconds: number): BusinessTime {
  return new Date(realTime.getTime() + aheadMilliseconds) as BusinessTime;
}

/** Reads a stored business time. */
export function readBusinessTime(text: BusinessTimestamp): BusinessTime {
  return new Date(text) as BusinessTime;
}

/**
 * Reads a time that a client states, which is a time on the clock of the environment. Returns null for any other text.
 */
export function readStatedTime(text: string): BusinessTime | null {
  return readInstant(text) as BusinessTime | null;
}

/** Adds to a time of either clock. */
export function addMilliseconds<T extends Date>(time: T, milliseconds: number): T {
  return new Date(time.getTime() + milliseconds) as T;
}
