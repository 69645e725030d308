import { DAY_MILLISECONDS, DAY_SECONDS, HOUR_MILLISECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '../../base/time.ts';
import { nextNineOClock, saoPauloDay } from '../../rules/brazilian-calendar.ts';

/** Bounds, as instants, of the calendar days that make a recovery urgent (day 0 is the day of its anchor). */
interface PollWindows {
  readonly lastHour: Date;
  readonly day3: { readonly from: Date; readonly to: Date };
  readonly day7: { readonly from: Date; readonly to: Date };
  readonly limit72h: Date;
}

/**
 * How urgent an open recovery is. `fresh`: CREATED or TRACKED within the last hour. `refund_closing`: ANALYSED on calendar
 * day 3, while the 72 hours for the refund request still run. `hourly`: CREATED or TRACKED for longer, AWAITING_ANALYSIS on
 * day 3 or 7, ANALYSED before day 3, REFUNDING. `open`: any other.
 */
export type Urgency = 'fresh' | 'refund_closing' | 'hourly' | 'open';

const intervals: Readonly<Record<Urgency, number>> = { fresh: 5 * MINUTE_SECONDS, refund_closing: 15 * MINUTE_SECONDS, hourly: HOUR_SECONDS, open: 6 * HOUR_SECONDS };

/** Calendar days count in America/Sao_Paulo; weekends and holidays count too. */
export function pollWindows(now: Date): PollWindows {
  return {
    lastHour: new Date(now.getTime() - HOUR_MILLISECONDS),
    day3: { from: saoPauloDay(now, -3), to: saoPauloDay(now, -2) },
    day7: { from: saoPauloDay(now, -7), to: saoPauloDay(now, -6) },
    limit72h: new Date(now.getTime() - 3 * DAY_MILLISECONDS),
  };
}

/**
 * Seconds until it is worth polling again: the most urgent open recovery decides, spread by up to ±10 % so that
 * consumers do not poll in step, within one minute and one day. Unread events mean at once.
 */
export function pollInterval(now: Date, mostUrgent: Urgency | null, hasMore: boolean, random: number): number {
  if (hasMore) return 0;
  const wanted = mostUrgent === null ? (nextNineOClock(now).getTime() - now.getTime()) / 1000 : intervals[mostUrgent];
  return Math.round(Math.min(DAY_SECONDS, Math.max(MINUTE_SECONDS, wanted * (0.9 + 0.2 * random))));
}
