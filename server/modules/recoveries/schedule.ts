/**
 * Says when a consumer should read the feed next, and why. Called by a handler. It follows the same table as the
 * headers of the feed (recovery-feed); it does not move the consumer.
 */
import { type BusinessTime, readBusinessTime, type RealTime } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import {
  isBusinessDay,
  nextHoliday,
  SAO_PAULO_ZONE,
  calendarDate,
  saoPauloDaysSince,
} from '../../rules/brazilian-calendar.ts';
import { cadence, readPollFacts, spreadOf } from '../recovery-feed/index.ts';
import { findDeadlines } from './read-store.ts';
import { deadlineSource } from './recovery.ts';

interface ScheduleRequest {
  readonly tenantId: string;
  readonly consumerId: string;
  readonly environment: Environment;
  readonly now: RealTime;
  /** Clock of the environment. Days and deadlines follow this clock; waiting times follow the real one. */
  readonly businessTime: BusinessTime;
}

/**
 * Returns when to read the feed next and why, by the same table as the feed's headers. The number of unread events is
 * not considered, because only the reader knows it.
 */
export async function readSchedule(
  tx: Transaction,
  { tenantId, consumerId, environment, now, businessTime }: ScheduleRequest,
) {
  const [facts, due] = await Promise.all([
    readPollFacts(tx, tenantId, environment, businessTime),
    tx.run(findDeadlines, { tenantId, environment }),
  ]);
  const { mostUrgent: urgent } = facts;
  const { seconds: intervalSeconds, rule } = cadence(now, facts, spreadOf(consumerId));
  const today = calendarDate(businessTime);
  return {
    timezone: SAO_PAULO_ZONE,
    now: businessTime.toISOString(),
    intervalSeconds,
    rule,
    nextPollAt: new Date(now.getTime() + intervalSeconds * 1000).toISOString(),
    reason:
      urgent === null
        ? null
        : {
            fundsRecoveryId: urgent.fundsRecoveryId,
            phase: urgent.status,
            // The clock of a sandbox returns to real time if the sandbox is emptied, but an event of the
            // directory can be a moment ahead.
            day: Math.max(0, saoPauloDaysSince(readBusinessTime(urgent.phaseBeganAt), businessTime)),
          },
    deadlines: due.map((deadline) => ({ ...deadline, setBy: deadlineSource(deadline.stage) })),
    businessDay: isBusinessDay(today),
    nextHoliday: nextHoliday(today),
  };
}
