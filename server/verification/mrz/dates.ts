/** Dates of machine-readable zones, which have two digits for the year. */

const YEARS_BEFORE = 10;
const YEARS_AFTER = 50;

/** Date of birth or expiry; `value` is null if the six characters are no date. */
export interface ReadExpiry {
  readonly value: string | null;
  /** Whether no century puts the date between ten years ago and fifty years ahead, so that the past was taken. */
  readonly isOutsideWindow: boolean;
}

/** Tells whether a calendar date exists. `date` has the form YYYY-MM-DD. */
export function isCalendarDate(date: string): boolean {
  const time = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

/**
 * Returns the date that is years away from a date. If the date is 29 February and the other year has none, it is the
 * 28th.
 */
export function yearsAway(date: string, years: number): string {
  const year = String(Number(date.slice(0, 4)) + years).padStart(4, '0');
  const other = `${year}${date.slice(4)}`;
  return isCalendarDate(other) ? other : `${year}-02-28`;
}

/** Returns the dates that two digits of a year, and the rest of a date, may mean, latest first. */
function candidates(yy: string, rest: string, latestCentury: number): string[] {
  return [latestCentury, latestCentury - 1, latestCentury - 2].map(
    (century) => `${String(century).padStart(2, '0')}${yy}${rest}`,
  );
}

/**
 * Returns the date of birth that six characters YYMMDD mean: the latest that is not after today. The day, or the month
 * and the day, may be unknown and are then fillers; the result is YYYY-MM or YYYY. Returns null if they are no date.
 */
export function birthDate(yymmdd: string, today: string): string | null {
  const parts = /^(\d\d)(\d\d|<<)(\d\d|<<)$/.exec(yymmdd);
  if (parts === null) return null;
  const [, yy, month, day] = parts as unknown as [string, string, string, string];
  if (month === '<<' && day !== '<<') return null;
  const rest = [month, day].filter((part) => part !== '<<').map((part) => `-${part}`);
  return (
    candidates(yy, rest.join(''), Number(today.slice(0, 2))).find(
      (date) => date <= today.slice(0, date.length) && isCalendarDate(`${date}-01-01`.slice(0, 10)),
    ) ?? null
  );
}

/**
 * Returns the date of expiry that six digits YYMMDD mean: the one between ten years ago and fifty years ahead, else the
 * latest before, because a document that expired long ago is likelier than one that is valid for half a century more.
 */
export function expiryDate(yymmdd: string, today: string): ReadExpiry {
  const none = { value: null, isOutsideWindow: false };
  if (!/^\d{6}$/.test(yymmdd)) return none;
  const [first, last] = [yearsAway(today, -YEARS_BEFORE), yearsAway(today, YEARS_AFTER)];
  const dates = candidates(
    yymmdd.slice(0, 2),
    `-${yymmdd.slice(2, 4)}-${yymmdd.slice(4)}`,
    Number(last.slice(0, 2)),
  ).filter(isCalendarDate);
  const inside = dates.find((date) => date >= first && date <= last);
  if (inside !== undefined) return { value: inside, isOutsideWindow: false };
  const before = dates.find((date) => date < first);
  return before === undefined ? none : { value: before, isOutsideWindow: true };
}
