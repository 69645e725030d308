import { calendarDate } from './brazilian-calendar.ts';

/**
 * The last day, in São Paulo, on which a record must be kept that is held for so many years after something has ended: the years
 * count from the 1 January that follows (Circular BCB 3.978/2020, art. 67). Null while it has not ended, because then it is held
 * without end.
 */
export function holdUntil(endedAt: Date | null, years: number): string | null {
  if (endedAt === null) return null;
  return `${Number(calendarDate(endedAt).slice(0, 4)) + years}-12-31`;
}
