/**
 * Until when the law demands that a record is kept. Used by erasures. Null means without end, not without retention.
 */
import type { BusinessTime } from '../base/time.ts';
import { calendarDate } from './brazilian-calendar.ts';

/**
 * Returns the last day, in São Paulo, of the retention of a record for a number of years after an event has ended: the
 * years count from the following 1 January (Circular BCB 3.978/2020, art. 67). Returns null while the event has not
 * ended, because the record is then retained indefinitely.
 */
export function holdUntil(endedAt: BusinessTime | null, years: number): string | null {
  if (endedAt === null) return null;
  return `${Number(calendarDate(endedAt).slice(0, 4)) + years}-12-31`;
}
