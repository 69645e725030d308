/** Reads dates as lists write them, also uncertain ones. Used by the readers. Texts without a year give null. */
import type { ListedDate } from '../listed-entity.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const two = (text: string): string => text.padStart(2, '0');

/** Returns a day or a year of the Gregorian calendar. An impossible day becomes the year. */
export function dateOf(year: string, month?: string, day?: string): string {
  if (month === undefined || day === undefined || Number(month) === 0 || Number(day) === 0)
    return month === undefined || Number(month) === 0 || Number(month) > 12 ? year : `${year}-${two(month)}`;
  const date = `${year}-${two(month)}-${two(day)}`;
  const parsed = new Date(`${date}T00:00:00Z`);
  return Number.isNaN(parsed.getTime()) || !parsed.toISOString().startsWith(date) ? year : date;
}

/**
 * Reads `1967-02-17`, `17 Feb 1967`, `Feb 1967`, `1967`, `circa 1952`, `1958 to 1963` or `Circa 1979-1982`; null if
 * there is no year.
 */
export function writtenDate(text: string): ListedDate | null {
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text.trim());
  if (iso !== null) return dateOf(iso[1]!, iso[2], iso[3]);
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/^(?:circa|approximately|c\.|between|late|early|mid-?)\s*/, '');
  const range = /(\d{4})(?:\s*(?:-|to|and|–)\s*)(?:circa )?(?:\d{1,2} )?(?:[a-z]{3,9} )?(\d{4})/.exec(plain);
  if (range !== null) return { from: Number(range[1]), to: Number(range[2]) };
  const written = /^(?:(\d{1,2}) )?([a-z]{3})[a-z]* (\d{4})$/.exec(plain);
  if (written !== null && MONTHS.includes(written[2]!))
    return dateOf(written[3]!, String(MONTHS.indexOf(written[2]!) + 1), written[1]);
  const year = /\b(1[89]\d\d|20\d\d)\b/.exec(plain)?.[1];
  if (year === undefined) return null;
  // An uncertain year may be the one before or after.
  return /circa|approximately|c\./i.test(text) ? { from: Number(year) - 1, to: Number(year) + 1 } : year;
}

/** Reads `28/09/1955`, `00/00/1980` and `00/05/1960`, day first. */
export function slashedDate(text: string): string | null {
  const parts = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text.trim());
  return parts === null ? null : dateOf(parts[3]!, parts[2], parts[1]);
}

/** Returns each date once. */
export function distinctDates(dates: readonly (ListedDate | null)[]): ListedDate[] {
  const known = new Map(dates.filter((date) => date !== null).map((date) => [JSON.stringify(date), date]));
  return [...known.values()];
}
