/**
 * Which notices of approaching deadlines are due, without input or output. Used by derive.ts. Of several notices of one
 * deadline only the last is published, because the earlier ones are no news any more.
 */
import { HOUR_MILLISECONDS } from '../../base/time.ts';
import type { RecoveryDocument } from '../../providers/directory/index.ts';
import type { TrackedDeadline } from './deadlines.ts';
import { eventType, type Fact } from './recovery.ts';

interface Notices {
  /** Notices whose time has come. If several of one deadline are due, only the last. */
  readonly due: readonly Fact[];
  /** Time of the next notice, in milliseconds. */
  readonly next: number | undefined;
}

/**
 * Builds the notices of the deadlines that are still ahead, as many hours before each as the tenant has set. Omits a
 * notice that is as long as the whole wait, because it would only announce that the wait has begun.
 */
export function deadlineNotices(
  ahead: readonly TrackedDeadline[],
  hours: readonly number[],
  recovery: RecoveryDocument,
  at: number,
): Notices {
  const all = ahead.map((deadline) =>
    hours
      .map((count) => ({ deadline, count, time: deadline.due - count * HOUR_MILLISECONDS }))
      .filter(({ time }) => time > deadline.start)
      .toSorted((one, other) => one.time - other.time),
  );
  const later = all
    .flat()
    .filter(({ time }) => time > at)
    .map(({ time }) => time);
  return {
    due: all
      .flatMap((notices) => notices.filter(({ time }) => time <= at).slice(-1))
      .map(({ deadline, count, time }) => ({
        key: `near:${deadline.stage}:${deadline.entityId}:${count}`,
        eventType: eventType('DEADLINE_APPROACHING'),
        reaches: null,
        at: time,
        origin: 'DEADLINE',
        documents: { FundsRecovery: recovery },
        deadline,
        noticeHours: count,
      })),
    next: later.length === 0 ? undefined : Math.min(...later),
  };
}
