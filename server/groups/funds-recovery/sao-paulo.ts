export const ZONE = 'America/Sao_Paulo';
const HOUR = 3_600_000;
const parts = new Intl.DateTimeFormat('en-CA', {
  timeZone: ZONE, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit',
});

/** The wall clock in São Paulo, written as if it were UTC, so that date arithmetic needs no zone. */
function wallClock(instant: Date): number {
  const part = Object.fromEntries(parts.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(part['year']!, part['month']! - 1, part['day'], part['hour'], part['minute'], part['second'], instant.getUTCMilliseconds());
}

/**
 * The instant at which the local calendar day that is `days` away from `instant` reaches `hour` o'clock. The offset
 * is taken at the result, so a change of the zone's offset in between does not shift it.
 */
export function localDay(instant: Date, days: number, hour = 0): Date {
  const local = new Date(wallClock(instant));
  const target = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate() + days, hour);
  const guess = new Date(target + (instant.getTime() - wallClock(instant)));
  return new Date(guess.getTime() + (target - wallClock(guess)));
}

/** The calendar date in São Paulo, as YYYY-MM-DD. */
export function localDate(instant: Date): string {
  return new Date(wallClock(instant)).toISOString().slice(0, 10);
}

/** How many calendar days of São Paulo lie between: 0 on the same day, also when it is not over yet. */
export function localDaysSince(anchor: Date, instant: Date): number {
  return Math.round((Date.parse(localDate(instant)) - Date.parse(localDate(anchor))) / (24 * HOUR));
}

/** The next time it is nine in the morning in São Paulo. */
export function nextNineOClock(instant: Date): Date {
  const today = localDay(instant, 0, 9);
  return today > instant ? today : localDay(new Date(instant.getTime() + HOUR), 1, 9);
}
