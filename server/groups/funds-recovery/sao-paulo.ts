import { BoundedMap } from '../../http/bounded-map.ts';

export const ZONE = 'America/Sao_Paulo';
const HOUR = 3_600_000;
/** Of this length from the epoch: the zone's offset has always changed between two of them. */
const QUARTER = HOUR / 4;
const parts = new Intl.DateTimeFormat('en-CA', {
  timeZone: ZONE, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit',
});

/** Asking for it costs more than all else that decides a cadence, and every read of the feed asks for the same few times. */
const offsets = new BoundedMap<number, number>(1000);

/** The wall clock in São Paulo, written as if it were UTC, so that date arithmetic needs no zone. */
function wallClock(instant: Date): number {
  const time = instant.getTime();
  return time + offsetAt(Math.floor(time / QUARTER) * QUARTER);
}

function offsetAt(quarter: number): number {
  const known = offsets.get(quarter);
  if (known !== undefined) return known;
  const part = Object.fromEntries(parts.formatToParts(quarter).map(({ type, value }) => [type, Number(value)]));
  const offset = Date.UTC(part['year']!, part['month']! - 1, part['day'], part['hour'], part['minute'], part['second']) - quarter;
  offsets.set(quarter, offset);
  return offset;
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
