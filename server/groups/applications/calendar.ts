import type { Environment } from '../../contract/principal.ts';

const brasilia = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo', year: 'numeric', month: '2-digit', day: '2-digit' });

const MINUTE = 60_000;
/** Formatting is slow and nearly always about now; dates change at full minutes. */
let last = { minute: Number.NaN, date: '' };

/** The business time of an environment: a sandbox can be ahead. */
export interface Clocks {
  readonly timeIn: (environment: Environment) => Date;
}

/** The calendar date in Brasília, where ages and expiry dates are counted, as YYYY-MM-DD. */
export function calendarDate(instant: Date): string {
  const minute = Math.floor(instant.getTime() / MINUTE);
  if (minute !== last.minute) last = { minute, date: brasilia.format(instant) };
  return last.date;
}

/** Whole years on a date. Who was born on 29 February completes a year on 1 March of other years. */
export function ageOn(today: string, dateOfBirth: string): number {
  const years = Number(today.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  return today.slice(5) < dateOfBirth.slice(5) ? years - 1 : years;
}
