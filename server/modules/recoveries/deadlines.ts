import type { Document } from '../../providers/directory/index.ts';
import { rootResult } from './facts.ts';
import {
  type Deadline, type DeadlineStage, eventType, type Fact, rankOf, readStatus, type Role, type Snapshot, type StageLimits, type Status,
  toMilliseconds,
} from './recovery.ts';

/** A deadline with the time at which what it waits for happened, or could happen no more; null while neither. */
export interface TrackedDeadline extends Deadline {
  /** The beginning of the wait, milliseconds. */
  readonly begun: number;
  readonly ended: number | null;
}

const timeoutEvents: Record<DeadlineStage, string> = {
  TRACKING: 'TRACKING_TIMED_OUT', ANALYSIS: 'ANALYSIS_TIMED_OUT', REFUND_START: 'REFUND_START_TIMED_OUT', REFUND: 'REFUND_TIMED_OUT',
};

/**
 * Every deadline of a recovery. They follow from the directory's documents alone, so a read long after the fact still
 * tells which were missed.
 */
function deadlinesOf(snapshot: Snapshot, role: Role, limits: StageLimits, analysedAt: number | null, facts: readonly Fact[]): TrackedDeadline[] {
  const { FundsRecovery: recovery, InfractionReports: reports, Refunds: refunds } = snapshot;
  const directoryStatus = readStatus(recovery.Status);
  /** The recovery may have left a status that no document gives a time for. Nobody can then be said to have been late. */
  const leftFor = (next: Status, from: Status): number | null =>
    facts.find(({ reaches }) => reaches === next)?.at ?? (directoryStatus !== null && rankOf(directoryStatus) > rankOf(from) ? unknownEnd : null);
  /** A step that a cancellation replaced could have happened until the cancellation. */
  const cancelled = directoryStatus === 'CANCELLED' ? toMilliseconds(recovery.LastModified) : null;
  const each = (stage: DeadlineStage, limit: number, documents: Snapshot['InfractionReports'] | Snapshot['Refunds']): TrackedDeadline[] =>
    documents.map(({ Id, Status, CreationTime, LastModified }) => ({
      stage, entityId: Id, begun: toMilliseconds(CreationTime), due: toMilliseconds(CreationTime) + limit,
      ended: Status === 'CLOSED' ? toMilliseconds(LastModified) : isPending(Status) && !isOver(directoryStatus) ? null : unknownEnd,
    }));
  return [
    // A counterparty learns of a recovery only when it receives a report, so it has no deadline for the tracking.
    ...(role === 'RECEIVED' ? [] : [{
      stage: 'TRACKING' as const, entityId: recovery.Id, begun: toMilliseconds(recovery.CreationTime), due: toMilliseconds(recovery.CreationTime) + limits.tracking,
      ended: leftFor('AWAITING_ANALYSIS', 'TRACKED'),
    }]),
    ...each('ANALYSIS', limits.analysis, reports),
    ...(analysedAt === null || rootResult(snapshot) === 'DISAGREED' ? [] : [{
      stage: 'REFUND_START' as const, entityId: recovery.Id, begun: analysedAt, due: analysedAt + limits.refundStart,
      ended: cancelled ?? leftFor('REFUNDING', 'ANALYSED'),
    }]),
    ...each('REFUND', limits.refund, refunds),
  ];
}

/** A cancelled document no longer says whether and when it was answered. Nobody can then be said to have been late, so the time of its end lies before every deadline. */
const unknownEnd = 0;

const isPending = (status: string): boolean => status === 'OPEN' || status === 'ACKNOWLEDGED';
const isOver = (directoryStatus: Status | null): boolean => directoryStatus !== null && rankOf(directoryStatus) >= rankOf('COMPLETED');

interface Deadlines {
  /** Those that passed before what they wait for happened. */
  readonly missed: readonly Fact[];
  /** Those that have passed, but nothing that was read since says whether they were missed. */
  readonly unconfirmed: readonly Deadline[];
  /** Those that are still ahead, the next one first. */
  readonly ahead: readonly TrackedDeadline[];
  /** Those that what they wait for has met. */
  readonly met: readonly Deadline[];
}

export function timeoutKey({ stage, entityId }: Deadline): string {
  return `to:${stage}:${entityId}`;
}

/** What an observation can confirm. */
interface Confirmation {
  /** Business time of the reads. */
  readonly at: number;
  /** What was read at that time: the recovery's own document, only the lists of reports and refunds, or nothing of it. */
  readonly by: 'read' | 'lists' | 'nothing';
  readonly ispb: string;
}

/** The lists show the participant's own reports and refunds alone, and no status of the recovery. */
function isListed({ stage, entityId }: Deadline, { InfractionReports: reports, Refunds: refunds }: Snapshot, ispb: string): boolean {
  if (stage === 'ANALYSIS') return reports.some(({ Id, ReporterParticipant, CounterpartyParticipant }) => Id === entityId && [ReporterParticipant, CounterpartyParticipant].includes(ispb));
  return stage === 'REFUND' && refunds.some(({ Id, RequestingParticipant, ContestedParticipant }) => Id === entityId && [RequestingParticipant, ContestedParticipant].includes(ispb));
}

/**
 * @param facts what the documents tell, with the notifications that were seen
 * @param confirmation the reads that confirm that a deadline has passed
 */
export function deadlines(snapshot: Snapshot, role: Role, limits: StageLimits, analysedAt: number | null, facts: readonly Fact[], confirmation: Confirmation): Deadlines {
  const { at, by, ispb } = confirmation;
  const all = deadlinesOf(snapshot, role, limits, analysedAt, facts);
  const passed = all.filter(({ due, ended }) => ended === null && due <= at);
  const isConfirmed = (deadline: Deadline): boolean => by === 'read' || (by === 'lists' && isListed(deadline, snapshot, ispb));
  return {
    unconfirmed: passed.filter((deadline) => !isConfirmed(deadline)).toSorted((one, other) => one.due - other.due),
    // What happens at the very end of its time is in time.
    missed: [...passed.filter(isConfirmed), ...all.filter(({ due, ended }) => ended !== null && due < ended)].map((deadline) => ({
      key: timeoutKey(deadline), eventType: eventType(timeoutEvents[deadline.stage]), reaches: null,
      at: deadline.due, origin: 'DEADLINE', documents: { FundsRecovery: snapshot.FundsRecovery } satisfies Document, deadline,
    })),
    met: all.filter(({ due, ended }) => ended !== null && ended !== unknownEnd && ended <= due),
    ahead: all.filter(({ due, ended }) => ended === null && due > at).toSorted((one, other) => one.due - other.due),
  };
}
