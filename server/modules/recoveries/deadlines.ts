/**
 * The deadlines of a recovery, which of them were missed and which are ahead, derived from the directory's documents
 * alone. Used by derive.ts and the notices. A deadline must not count as missed while the answer may exist unread,
 * because the event could not be taken back.
 */
import type { Document } from '../../providers/directory/index.ts';
import { rootResult } from './facts.ts';
import {
  type Deadline,
  type DeadlineStage,
  eventType,
  type Fact,
  rankOf,
  readStatus,
  type Role,
  type Snapshot,
  type StageLimits,
  type Status,
  toMilliseconds,
} from './recovery.ts';

/**
 * Deadline with the time of the step that it waits for, or the time from which that step could not happen any more. The
 * time is null while neither is known.
 */
export interface TrackedDeadline extends Deadline {
  /** Start of the wait, in milliseconds. */
  readonly start: number;
  readonly ended: number | null;
}

const timeoutEvents: Record<DeadlineStage, string> = {
  TRACKING: 'TRACKING_TIMED_OUT',
  ANALYSIS: 'ANALYSIS_TIMED_OUT',
  REFUND_START: 'REFUND_START_TIMED_OUT',
  REFUND: 'REFUND_TIMED_OUT',
};

/** What the deadlines of a recovery follow from. */
interface DeadlineBasis {
  readonly snapshot: Snapshot;
  readonly role: Role;
  readonly limits: StageLimits;
  readonly analysedAt: number | null;
  /** Facts from the documents and from the notifications that were received. */
  readonly facts: readonly Fact[];
}

/**
 * Lists every deadline of a recovery. They follow from the directory's documents alone, so a read long afterwards still
 * shows which ones were missed.
 */
function deadlinesOf({ snapshot, role, limits, analysedAt, facts }: DeadlineBasis): TrackedDeadline[] {
  const { FundsRecovery: recovery, InfractionReports: reports, Refunds: refunds } = snapshot;
  const directoryStatus = readStatus(recovery.Status);
  /**
   * The recovery may have left a status without a document that gives the time. The deadline then cannot count as
   * missed.
   */
  const leftFor = (next: Status, from: Status): number | null =>
    facts.find(({ reaches }) => reaches === next)?.at ??
    (directoryStatus !== null && rankOf(directoryStatus) > rankOf(from) ? unknownEnd : null);
  /** If a cancellation replaced a step, the step could have happened until the cancellation. */
  const cancelled = directoryStatus === 'CANCELLED' ? toMilliseconds(recovery.LastModified) : null;
  const each = (
    stage: DeadlineStage,
    limit: number,
    documents: Snapshot['InfractionReports'] | Snapshot['Refunds'],
  ): TrackedDeadline[] =>
    documents.map((document) => ({
      stage,
      entityId: document.Id,
      start: toMilliseconds(document.CreationTime),
      due: toMilliseconds(document.CreationTime) + limit,
      ended: endOf(document, directoryStatus),
    }));
  const tracking: TrackedDeadline = {
    stage: 'TRACKING',
    entityId: recovery.Id,
    start: toMilliseconds(recovery.CreationTime),
    due: toMilliseconds(recovery.CreationTime) + limits.tracking,
    ended: leftFor('AWAITING_ANALYSIS', 'TRACKED'),
  };
  const refundStartAfter = (start: number): TrackedDeadline => ({
    stage: 'REFUND_START',
    entityId: recovery.Id,
    start,
    due: start + limits.refundStart,
    ended: cancelled ?? leftFor('REFUNDING', 'ANALYSED'),
  });
  return [
    // A counterparty learns of a recovery only when it receives a report, so it has no deadline for tracking.
    ...(role === 'RECEIVED' ? [] : [tracking]),
    ...each('ANALYSIS', limits.analysis, reports),
    ...(analysedAt === null || rootResult(snapshot) === 'DISAGREED' ? [] : [refundStartAfter(analysedAt)]),
    ...each('REFUND', limits.refund, refunds),
  ];
}

/**
 * Placeholder for an end whose time is unknown. A cancelled document no longer says whether and when it was answered,
 * so its deadline cannot count as missed: the placeholder lies before every deadline.
 */
const unknownEnd = 0;

/** Returns when a report or refund was answered; null while it waits for the answer. */
function endOf(
  { Status, LastModified }: Snapshot['InfractionReports' | 'Refunds'][number],
  directoryStatus: Status | null,
): number | null {
  if (Status === 'CLOSED') return toMilliseconds(LastModified);
  return isPending(Status) && !isOver(directoryStatus) ? null : unknownEnd;
}

const isPending = (status: string): boolean => status === 'OPEN' || status === 'ACKNOWLEDGED';
const isOver = (directoryStatus: Status | null): boolean =>
  directoryStatus !== null && rankOf(directoryStatus) >= rankOf('COMPLETED');

interface Deadlines {
  /** Deadlines that passed before the step that they wait for happened. */
  readonly missed: readonly Fact[];
  /** Deadlines that have passed, if no later read shows whether they were missed. */
  readonly unconfirmed: readonly Deadline[];
  /** Deadlines that are still ahead, the next one first. */
  readonly ahead: readonly TrackedDeadline[];
  /** Deadlines that were met. */
  readonly met: readonly Deadline[];
}

export function timeoutKey({ stage, entityId }: Deadline): string {
  return `to:${stage}:${entityId}`;
}

/** What a read can confirm. */
export interface Confirmation {
  /** Business time of the reads. */
  readonly at: number;
  /** What was read at that time: the recovery's own document, only the lists of reports and refunds, or nothing. */
  readonly by: 'read' | 'lists' | 'nothing';
  readonly ispb: string;
}

/**
 * Returns whether the directory's lists can show the end of a wait. They contain only the participant's own reports and
 * refunds, and no status of the recovery.
 */
function isListed(
  { stage, entityId }: Deadline,
  { InfractionReports: reports, Refunds: refunds }: Snapshot,
  ispb: string,
): boolean {
  if (stage === 'ANALYSIS')
    return reports.some(
      ({ Id, ReporterParticipant, CounterpartyParticipant }) =>
        Id === entityId && [ReporterParticipant, CounterpartyParticipant].includes(ispb),
    );
  return (
    stage === 'REFUND' &&
    refunds.some(
      ({ Id, RequestingParticipant, ContestedParticipant }) =>
        Id === entityId && [RequestingParticipant, ContestedParticipant].includes(ispb),
    )
  );
}

/**
 * Sorts the deadlines of a recovery by what is known about them.
 *
 * @param confirmation the reads that confirm that a deadline has passed
 */
export function deadlines(basis: DeadlineBasis, confirmation: Confirmation): Deadlines {
  const { snapshot } = basis;
  const { at, by, ispb } = confirmation;
  const all = deadlinesOf(basis);
  const passed = all.filter(({ due, ended }) => ended === null && due <= at);
  const isConfirmed = (deadline: Deadline): boolean =>
    by === 'read' || (by === 'lists' && isListed(deadline, snapshot, ispb));
  return {
    unconfirmed: passed.filter((deadline) => !isConfirmed(deadline)).toSorted((one, other) => one.due - other.due),
    // A step at the exact end of its time limit is in time.
    missed: [...passed.filter(isConfirmed), ...all.filter(({ due, ended }) => ended !== null && due < ended)].map(
      (deadline) => ({
        key: timeoutKey(deadline),
        eventType: eventType(timeoutEvents[deadline.stage]),
        reaches: null,
        at: deadline.due,
        origin: 'DEADLINE',
        documents: { FundsRecovery: snapshot.FundsRecovery } satisfies Document,
        deadline,
      }),
    ),
    met: all.filter(({ due, ended }) => ended !== null && ended !== unknownEnd && ended <= due),
    ahead: all.filter(({ due, ended }) => ended === null && due > at).toSorted((one, other) => one.due - other.due),
  };
}
