/**
 * When a consumer should poll the feed again, without input or output. Used by read-feed.ts and, through the index, by
 * the schedule of recoveries. Intervals follow the calendar of the most urgent recovery; too long an interval makes a
 * customer miss a legal deadline.
 */
import { createHash } from 'node:crypto';
import {
  addMilliseconds,
  type BusinessTime,
  DAY_MILLISECONDS,
  DAY_SECONDS,
  HOUR_MILLISECONDS,
  HOUR_SECONDS,
  MINUTE_SECONDS,
  type RealTime,
} from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import { nextNineOClock, saoPauloDay } from '../../rules/brazilian-calendar.ts';

/** Bounds, as instants, of the calendar days that make a recovery urgent. Day 0 is the day on which its phase began. */
interface PollWindows {
  readonly lastHour: BusinessTime;
  readonly day3: { readonly from: BusinessTime; readonly to: BusinessTime };
  readonly day7: { readonly from: BusinessTime; readonly to: BusinessTime };
  readonly limit72h: BusinessTime;
}

/**
 * Urgency of an open recovery. `fresh`: CREATED or TRACKED within the last hour. `refund_closing`: ANALYSED on calendar
 * day 3, while the 72 hours for the refund request still run. `hourly`: CREATED or TRACKED for longer,
 * AWAITING_ANALYSIS on day 3 or 7, ANALYSED before day 3, REFUNDING. `open`: any other.
 */
export type Urgency = 'fresh' | 'refund_closing' | 'hourly' | 'open';

const intervals: Readonly<Record<Urgency, number>> = {
  fresh: 5 * MINUTE_SECONDS,
  refund_closing: 15 * MINUTE_SECONDS,
  hourly: HOUR_SECONDS,
  open: 6 * HOUR_SECONDS,
};

/** Returns the bounds of the urgent days. Calendar days count in America/Sao_Paulo; weekends and holidays count too. */
export function pollWindows(at: BusinessTime): PollWindows {
  return {
    lastHour: addMilliseconds(at, -HOUR_MILLISECONDS),
    day3: { from: saoPauloDay(at, -3), to: saoPauloDay(at, -2) },
    day7: { from: saoPauloDay(at, -7), to: saoPauloDay(at, -6) },
    limit72h: addMilliseconds(at, -3 * DAY_MILLISECONDS),
  };
}

/** Inputs of the cadence. Days and deadlines count by the business time of the environment. */
export interface PollBasis {
  readonly businessTime: BusinessTime;
  /** Whether the tenant receives infraction reports. The receiver of a report must block the amount at once. */
  readonly receivesReports: boolean;
  /** Urgency of the most urgent open recovery; null if none is open. */
  readonly urgency: Urgency | null;
  /** Next deadline of the tenant's own recoveries, or its announcement, whichever comes first. */
  readonly nextDeadlineAt: string | null;
}

/** Rule that decided a cadence, as named in the contract. */
export type PollRule = components['schemas']['PollSchedule']['rule'];

interface Cadence {
  readonly seconds: number;
  readonly rule: PollRule;
}

/**
 * Limit of the time by which a consumer polls earlier than the rule requires, so that consumers that wait for the same
 * moment do not poll in step.
 */
const LONGEST_SPREAD_SECONDS = 5 * MINUTE_SECONDS;

/**
 * Returns when it is worth polling again: each minute for a receiver of reports; otherwise by the calendar of the most
 * urgent open recovery, or at the next deadline if that comes first. The interval is between one minute and one day.
 *
 * @param spread fixed for each consumer, from 0 to 1, so that every answer to one consumer is the same
 */
export function cadence(
  now: RealTime,
  { businessTime, receivesReports, urgency, nextDeadlineAt }: PollBasis,
  spread: number,
): Cadence {
  if (receivesReports) return { seconds: MINUTE_SECONDS, rule: 'receives_reports' };
  const byCalendar = urgency === null ? (nextNineOClock(now).getTime() - now.getTime()) / 1000 : intervals[urgency];
  const byDeadline = nextDeadlineAt === null ? Infinity : (Date.parse(nextDeadlineAt) - businessTime.getTime()) / 1000;
  const wanted = Math.min(byCalendar, byDeadline);
  const calendarRule = urgency === null ? 'nothing_open' : 'day_3_schedule';
  const earlier = spread * Math.min(wanted / 10, LONGEST_SPREAD_SECONDS);
  return {
    seconds: Math.round(Math.min(DAY_SECONDS, Math.max(MINUTE_SECONDS, wanted - earlier))),
    rule: byDeadline < byCalendar ? 'next_deadline' : calendarRule,
  };
}

/** Derives the spread of a consumer from its id. */
export function spreadOf(consumerId: string): number {
  return createHash('sha256').update(consumerId).digest().readUInt32BE() / 2 ** 32;
}
