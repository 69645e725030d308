/** Whether a recovery is late. Used by recovery-card.tsx. Time is that of the environment, not of this computer. */
import type { Schemas } from '../../core/api.ts';
import { shortType } from './recovery-words.ts';

/** Statuses in which a recovery still waits for the stage of a deadline. */
const WAITING = {
  TRACKING: ['CREATED'],
  ANALYSIS: ['TRACKED', 'AWAITING_ANALYSIS'],
  REFUND_START: ['ANALYSED'],
  REFUND: ['REFUNDING'],
} as const satisfies Readonly<Record<Schemas['DeadlineStage'], readonly Schemas['FundsRecoveryStatusFilter'][]>>;

/**
 * Returns the overdue stage, if any: that of the next deadline if it has passed by the clock of the environment, or one
 * that the directory reported as missed while the recovery still waits for it.
 */
export function overdueStage(
  { nextDeadline, status }: Schemas['FundsRecoveryRecord'],
  events: readonly Schemas['FundsRecoveryEvent'][],
  now: number,
): string | null {
  if (nextDeadline !== null && Date.parse(nextDeadline.dueAt) < now) return nextDeadline.stage;
  const reported = new Set(events.map(({ eventType }) => shortType(eventType)));
  const missed = Object.entries(WAITING).find(
    ([stage, statuses]) => reported.has(`${stage}_TIMED_OUT`) && statuses.some((waiting) => waiting === status),
  );
  return missed?.[0] ?? null;
}
