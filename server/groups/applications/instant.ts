const LEAP_SECOND = /:60(?=[.Zz+-])/;

/** An RFC 3339 timestamp that the contract has accepted. A leap second, which `Date` does not know, is the second after. */
export function parseInstant(text: string): Date {
  const leap = LEAP_SECOND.test(text);
  const instant = new Date(text.replace(LEAP_SECOND, ':59').toUpperCase());
  return leap ? new Date(instant.getTime() + 1000) : instant;
}

/** The time of a change: now, and in any case later than the change before, so that polling by time misses none. */
export function timeOfChange(now: Date, previous: string): string {
  return new Date(Math.max(now.getTime(), Date.parse(previous) + 1)).toISOString();
}
