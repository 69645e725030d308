/** The deadlines of reports: instants at the end of a day of São Paulo, after calendar days or business days. */
import { addMilliseconds, type BusinessTime, readStatedTime } from '../../base/time.ts';
import { calendarDate, isBusinessDay, saoPauloDay } from '../../rules/brazilian-calendar.ts';

/** Returns the last millisecond of a calendar date in São Paulo, or of the one some days after it. */
function endOfDay(date: string, daysLater = 0): BusinessTime {
  const noon = readStatedTime(`${date}T15:00:00.000Z`);
  if (noon === null) throw new TypeError(`${date} is no calendar date`);
  return addMilliseconds(saoPauloDay(noon, daysLater + 1), -1);
}

/** Returns the end of the given business day after a date, which is not counted itself. */
function endOfBusinessDay(date: string, count: number): BusinessTime {
  let left = count;
  for (let days = 1; ; days += 1) {
    const end = endOfDay(date, days);
    if (isBusinessDay(calendarDate(end))) left -= 1;
    if (left === 0) return end;
  }
}

/** Returns until when an operation is selected for analysis, or its analysis ends: after calendar days from a day. */
export function daysFrom(start: string | BusinessTime, days: number): BusinessTime {
  return endOfDay(typeof start === 'string' ? start : calendarDate(start), days);
}

/** Returns until when an operation is reported: after business days from the day of its decision, or of itself. */
export function businessDaysFrom(start: string | BusinessTime, days: number): BusinessTime {
  return endOfBusinessDay(typeof start === 'string' ? start : calendarDate(start), days);
}

/** Returns until when it is declared that nothing was reported in a year: after business days of the next one. */
export function businessDaysAfterYear(year: number, days: number): BusinessTime {
  return endOfBusinessDay(`${year}-12-31`, days);
}
