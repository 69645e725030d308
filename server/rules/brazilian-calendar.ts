/**
 * Calendar days, ages and months in the time zone of São Paulo. Used by due dates, retention, validity and the feed.
 * Days count by this zone, not by UTC: near midnight the two differ.
 */
import { BoundedMap } from '../base/bounded-map.ts';
import { addMilliseconds, type BusinessTime, DAY_MILLISECONDS, HOUR_MILLISECONDS } from '../base/time.ts';
import type { Environment } from '../contract/operation.ts';

/** Business time of an environment: a sandbox can be ahead. */
export interface BusinessClocks {
  readonly timeIn: (environment: Environment) => BusinessTime;
}

/**
 * Returns the age in whole years on a date. A person born on 29 February completes a year on 1 March of other years.
 */
export function ageOn(today: string, dateOfBirth: string): number {
  const years = Number(today.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  return today.slice(5) < dateOfBirth.slice(5) ? years - 1 : years;
}

export const SAO_PAULO_ZONE = 'America/Sao_Paulo';
/** Length of intervals, counted from the epoch, between which all changes of the zone's offset have occurred so far. */
const QUARTER = HOUR_MILLISECONDS / 4;
const zoneFormat = new Intl.DateTimeFormat('en-CA', {
  timeZone: SAO_PAULO_ZONE,
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/**
 * Cache of offsets. Computing an offset costs more than everything else that decides a cadence, and every read of the
 * feed needs the same few instants.
 */
const offsets = new BoundedMap<number, number>(1000);

/** Returns the wall clock in São Paulo, represented as UTC, so that date arithmetic needs no zone. */
function wallClock(instant: Date): number {
  const time = instant.getTime();
  return time + offsetAt(Math.floor(time / QUARTER) * QUARTER);
}

function offsetAt(quarter: number): number {
  const known = offsets.get(quarter);
  if (known !== undefined) return known;
  const part = Object.fromEntries(zoneFormat.formatToParts(quarter).map(({ type, value }) => [type, Number(value)]));
  const offset =
    Date.UTC(part['year']!, part['month']! - 1, part['day'], part['hour'], part['minute'], part['second']) - quarter;
  offsets.set(quarter, offset);
  return offset;
}

/**
 * Returns the instant at which the local calendar day that is `days` away from `instant` reaches `hour` o'clock. The
 * offset at the result is used, so a change of the zone's offset in between does not shift the result.
 */
export function saoPauloDay<T extends Date>(instant: T, days: number, hour = 0): T {
  const local = new Date(wallClock(instant));
  return atWallClock(Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate() + days, hour), instant);
}

/** Returns the instant at which the wall clock shows the target, starting from the offset of another instant. */
function atWallClock<T extends Date>(target: number, from: T): T {
  const guess = addMilliseconds(from, target - wallClock(from));
  return addMilliseconds(guess, target - wallClock(guess));
}

/** Returns the same time of day in São Paulo some days later, whatever the length of the days in between. */
export function daysLater(instant: BusinessTime, days: number): BusinessTime {
  return atWallClock(wallClock(instant) + days * DAY_MILLISECONDS, instant);
}

/** Returns the same time of the same day in São Paulo some months later, or of the last day of a shorter month. */
export function monthsLater(instant: BusinessTime, months: number): BusinessTime {
  const local = new Date(wallClock(instant));
  const [year, month] = [local.getUTCFullYear(), local.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const target = Date.UTC(
    year,
    month,
    Math.min(local.getUTCDate(), lastDay),
    local.getUTCHours(),
    local.getUTCMinutes(),
    local.getUTCSeconds(),
    local.getUTCMilliseconds(),
  );
  return atWallClock(target, instant);
}

/**
 * Returns the calendar date in São Paulo as YYYY-MM-DD. The date is also that of Brasília, by which ages and expiry
 * dates are counted.
 */
export function calendarDate(instant: BusinessTime): string {
  return new Date(wallClock(instant)).toISOString().slice(0, 10);
}

/**
 * Returns the number of calendar days of São Paulo between two instants: 0 on the same day, even if that day is not
 * over.
 */
export function saoPauloDaysSince(anchor: BusinessTime, instant: BusinessTime): number {
  return Math.round((Date.parse(calendarDate(instant)) - Date.parse(calendarDate(anchor))) / DAY_MILLISECONDS);
}

/** Returns the next instant at which it is nine in the morning in São Paulo. */
export function nextNineOClock<T extends Date>(instant: T): T {
  const today = saoPauloDay(instant, 0, 9);
  return today > instant ? today : saoPauloDay(addMilliseconds(instant, HOUR_MILLISECONDS), 1, 9);
}

/** Conversions between calendar dates (`YYYY-MM-DD`) and days of UTC, which has no summer time. */

const dayOf = (date: string): number => Date.parse(date) / DAY_MILLISECONDS;
const dateOf = (day: number): string => new Date(day * DAY_MILLISECONDS).toISOString().slice(0, 10);

/** National holidays of every year (Res. CMN 4.880/2020); 20 November since Lei 14.759/2023. */
const FIXED = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '11-20', '12-25'];
/** Offsets in days from Easter Sunday: Carnival Monday and Tuesday, Good Friday, Corpus Christi. */
const MOVABLE = [-48, -47, -2, 60];

/** Returns Easter Sunday of the Gregorian calendar, by the anonymous computus of 1876. */
export function easter(year: number): string {
  const a = year % 19;
  const [b, c] = [Math.floor(year / 100), year % 100];
  const f = Math.floor((b + 8) / 25);
  const g = Math.floor((b - f + 1) / 3);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  return dateOf(Date.UTC(year, Math.floor(n / 31) - 1, (n % 31) + 1) / DAY_MILLISECONDS);
}

/** Returns the nationwide bank holidays of a year, in order. */
export function bankHolidays(year: number): string[] {
  const sunday = dayOf(easter(year));
  const fixed = FIXED.filter((date) => year >= 2024 || date !== '11-20').map((date) => `${year}-${date}`);
  return [...new Set([...fixed, ...MOVABLE.map((days) => dateOf(sunday + days))])].sort();
}

/**
 * Tells whether a date is a business day. Only for display and internal service levels, because deadlines of recoveries
 * run on all days.
 */
export function isBusinessDay(date: string): boolean {
  const weekday = new Date(date).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !bankHolidays(Number(date.slice(0, 4))).includes(date);
}

/** Returns the first holiday after a date, whatever its day of the week. */
export function nextHoliday(date: string): string {
  const year = Number(date.slice(0, 4));
  return [...bankHolidays(year), ...bankHolidays(year + 1)].find((holiday) => holiday > date)!;
}
