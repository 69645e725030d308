/**
 * Finds dates in printed text: with points, slashes, hyphens or spaces, or with the name of the month in English,
 * Portuguese, Spanish, French or German. Day and month are in this order; a date that starts with its year is read,
 * too.
 */
import { isCalendarDate } from '../mrz/dates.ts';
import { plain } from './folding.ts';

/** Beginnings of the names of months, without marks. */
const MONTHS: readonly (readonly string[])[] = [
  ['JAN', 'ENE'],
  ['FEV', 'FEB'],
  ['MAR'],
  ['ABR', 'APR', 'AVR'],
  ['MAI', 'MAY'],
  ['JUN', 'JUIN'],
  ['JUL', 'JUIL'],
  ['AGO', 'AUG', 'AOU'],
  ['SET', 'SEP'],
  ['OUT', 'OCT', 'OKT'],
  ['NOV'],
  ['DEZ', 'DEC', 'DIC'],
];
const NUMERIC = /(?<!\d)(\d{1,2})[\s./-]{1,3}(\d{1,2})[\s./-]{1,3}(\d{4}|\d{2})(?!\d)/g;
const YEAR_FIRST = /(?<!\d)(\d{4})[\s./-]{1,3}(\d{1,2})[\s./-]{1,3}(\d{1,2})(?!\d)/g;
/** A month may be written in two languages: 12 AUG/AGO 1974. */
const NAMED = /(?<!\d)(\d{1,2})[\s.]{0,2}([A-Z]{3,9})[\s.]{0,2}(?:\/[\s.A-Z]{3,13})?(\d{4}|\d{2})(?!\d)/g;

function monthOf(name: string): number {
  return MONTHS.findIndex((beginnings) => beginnings.some((beginning) => name.startsWith(beginning))) + 1;
}

/** Returns the dates, YYYY-MM-DD, that a day, a month and a year may mean: a year of two digits has two centuries. */
function datesOf(day: string, month: number, year: string): string[] {
  const years = year.length === 4 ? [year] : [`19${year}`, `20${year}`];
  return years.map((one) => `${one}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`).filter(isCalendarDate);
}

/** Returns every date that a printed line may show, as YYYY-MM-DD. */
export function datesIn(line: string): string[] {
  const text = plain(line);
  return [
    ...new Set([
      ...[...text.matchAll(NUMERIC)].flatMap(([, day, month, year]) => datesOf(day!, Number(month), year!)),
      ...[...text.matchAll(YEAR_FIRST)].flatMap(([, year, month, day]) => datesOf(day!, Number(month), year!)),
      ...[...text.matchAll(NAMED)].flatMap(([, day, name, year]) => datesOf(day!, monthOf(name!), year!)),
    ]),
  ];
}
