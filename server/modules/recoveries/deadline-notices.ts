import { HOUR_MILLISECONDS } from '../../base/time.ts';
import type { RecoveryDocument } from '../../providers/directory/index.ts';
import type { TrackedDeadline } from './deadlines.ts';
import { eventType, type Fact } from './recovery.ts';

interface Notices {
  /** Those whose time has come: of several of one deadline the last. */
  readonly due: readonly Fact[];
  /** When the next one is due, milliseconds. */
  readonly next: number | undefined;
}

/**
 * The announcements of deadlines that are still ahead, so many hours before each as the tenant has set. One that is as long as the whole wait would
 * tell nothing but that the wait has begun, and is left out.
 */
export function deadlineNotices(ahead: readonly TrackedDeadline[], hours: readonly number[], recovery: RecoveryDocument, at: number): Notices {
  const all = ahead.map((deadline) => hours.map((count) => ({ deadline, count, time: deadline.due - count * HOUR_MILLISECONDS }))
    .filter(({ time }) => time > deadline.begun).toSorted((one, other) => one.time - other.time));
  const later = all.flat().filter(({ time }) => time > at).map(({ time }) => time);
  return {
    due: all.flatMap((notices) => notices.filter(({ time }) => time <= at).slice(-1)).map(({ deadline, count, time }) => ({
      key: `near:${deadline.stage}:${deadline.entityId}:${count}`, eventType: eventType('DEADLINE_APPROACHING'), reaches: null, at: time, origin: 'DEADLINE',
      documents: { FundsRecovery: recovery }, deadline, noticeHours: count,
    })),
    next: later.length === 0 ? undefined : Math.min(...later),
  };
}
