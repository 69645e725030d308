/** Calendar dates are written `YYYY-MM-DD` and counted in days of UTC, which have no summer time. */
const DAY = 86_400_000;

const dayOf = (date: string): number => Date.parse(date) / DAY;
const dateOf = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);

/** National holidays of every year (Res. CMN 4.880/2020); 20 November since Lei 14.759/2023. */
const FIXED = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '11-20', '12-25'];
/** Days from Easter Sunday: Carnival Monday and Tuesday, Good Friday, Corpus Christi. */
const MOVABLE = [-48, -47, -2, 60];

/** Easter Sunday of the Gregorian calendar, by the anonymous computus of 1876. */
export function easter(year: number): string {
  const a = year % 19;
  const [b, c] = [Math.floor(year / 100), year % 100];
  const f = Math.floor((b + 8) / 25);
  const g = Math.floor((b - f + 1) / 3);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  return dateOf(Date.UTC(year, Math.floor(n / 31) - 1, (n % 31) + 1) / DAY);
}

/** The days of a year on which banks rest everywhere in Brazil, in order. */
export function bankHolidays(year: number): string[] {
  const sunday = dayOf(easter(year));
  const fixed = FIXED.filter((date) => year >= 2024 || date !== '11-20').map((date) => `${year}-${date}`);
  return [...new Set([...fixed, ...MOVABLE.map((days) => dateOf(sunday + days))])].sort();
}

/** For display and internal service levels alone: deadlines of recoveries run on all days. */
export function isBusinessDay(date: string): boolean {
  const weekday = new Date(date).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !bankHolidays(Number(date.slice(0, 4))).includes(date);
}

/** The first holiday after a date, whatever its day of the week. */
export function nextHoliday(date: string): string {
  const year = Number(date.slice(0, 4));
  return [...bankHolidays(year), ...bankHolidays(year + 1)].find((holiday) => holiday > date)!;
}
