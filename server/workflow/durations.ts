/** Durations of ISO 8601 for timers, with days, months and years by the calendar of São Paulo. */
import { addMilliseconds, type BusinessTime, DAY_MILLISECONDS } from '../base/time.ts';
import { daysLater, monthsLater } from '../rules/brazilian-calendar.ts';

/** A duration of ISO 8601: months and days by the calendar of São Paulo, the rest in milliseconds. */
export interface Duration {
  readonly months: number;
  readonly days: number;
  readonly milliseconds: number;
}

/** A repetition of ISO 8601, or null for one without end. */
export interface Cycle {
  readonly times: number | null;
  readonly every: Duration;
}

const DATE = String.raw`(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,5})D)?`;
const TIME = String.raw`(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9}(?:\.\d{1,3})?)S)?`;
const DURATION = new RegExp(String.raw`^P(?=\d|T\d)${DATE}(?:T(?=\d)${TIME})?$`);
/** Average days of a month. */
const DAYS_OF_MONTH = 365.25 / 12;
/** Longest duration in days: ten years and a margin of about a week. */
const LONGEST_DAYS = 3660;

/** Reads a duration between a second and ten years. Returns null for any other text. */
export function readDuration(text: string): Duration | null {
  const match = DURATION.exec(text);
  if (match === null) return null;
  const [years, months, weeks, days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  const duration = {
    months: years! * 12 + months!,
    days: weeks! * 7 + days!,
    milliseconds: Math.round((hours! * 60 + minutes!) * 60_000 + seconds! * 1000),
  };
  const about = (duration.months * DAYS_OF_MONTH + duration.days) * DAY_MILLISECONDS + duration.milliseconds;
  return about < 1000 || about > LONGEST_DAYS * DAY_MILLISECONDS ? null : duration;
}

/** Reads a repetition such as `R3/P7D`; `R/PT1H` has no end. */
export function readCycle(text: string): Cycle | null {
  const match = /^R(\d{0,4})\/(P.+)$/.exec(text);
  const every = match === null ? null : readDuration(match[2]!);
  if (match === null || every === null) return null;
  return { times: match[1] === '' ? null : Number(match[1]), every };
}

/** Returns the instant that is a duration after another one. A day keeps its time of day, whatever its length. */
export function after(instant: BusinessTime, { months, days, milliseconds }: Duration): BusinessTime {
  const month = months === 0 ? instant : monthsLater(instant, months);
  const day = days === 0 ? month : daysLater(month, days);
  return addMilliseconds(day, milliseconds);
}
