/** Days, times, amounts and numbers in the language of the page. Used by all pages that show one. */
import { useMemo } from 'react';
import { type Language, useLanguage } from '../core/language.ts';

/** Formats of days, times, amounts and numbers in the language of the page. */
export interface Format {
  readonly day: (iso: string) => string;
  /** Formats a year and a month, such as 2026-11. */
  readonly month: (month: string) => string;
  readonly dateTime: (iso: string) => string;
  /** Includes seconds, where the order of events matters. */
  readonly precise: (iso: string) => string;
  readonly relative: (iso: string) => string;
  readonly number: (value: number) => string;
  /** Formats an amount in the minor unit of its currency (ISO 4217), as the API sends it. */
  readonly money: (amount: number, currency: string) => string;
}

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

function formatFor(language: Language, aheadMilliseconds: number): Format {
  const locale = language === 'pt' ? 'pt-BR' : 'en-GB';
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const calendarDay = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const precise = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const number = new Intl.NumberFormat(locale);
  return {
    // A date without a time is the same day in every time zone.
    day: (iso) => (iso.length === 10 ? calendarDay : day).format(new Date(iso)),
    month: (given) => month.format(new Date(`${given}-01T00:00:00.000Z`)),
    dateTime: (iso) => dateTime.format(new Date(iso)),
    precise: (iso) => precise.format(new Date(iso)),
    relative: (iso) => {
      const seconds = (Date.parse(iso) - Date.now() - aheadMilliseconds) / 1000;
      const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
      return relative.format(Math.round(seconds / size), unit);
    },
    number: (value) => number.format(value),
    money: (amount, currency) => {
      const money = new Intl.NumberFormat(locale, { style: 'currency', currency });
      return money.format(amount / 10 ** (money.resolvedOptions().maximumFractionDigits ?? 2));
    },
  };
}

/**
 * Returns the formats. With `aheadMilliseconds`, relative times use a clock that is ahead of real time
 * (`useRecordFormat`).
 */
export function useFormat(aheadMilliseconds = 0): Format {
  const language = useLanguage();
  return useMemo(() => formatFor(language, aheadMilliseconds), [language, aheadMilliseconds]);
}
