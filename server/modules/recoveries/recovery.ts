import { DAY_MILLISECONDS, MINUTE_MILLISECONDS } from '../../base/time.ts';
import type { Document, InfractionReportDocument, RecoveryDocument, RefundDocument } from '../../providers/directory/index.ts';

export function toMilliseconds(time: string): number {
  return Date.parse(time);
}

/** RFC 3339 in UTC with milliseconds, which is the precision of the directory. */
export function isoTime(at: number | string): string {
  return new Date(at).toISOString();
}

/** In milliseconds: how long each step may take, and how long an event waits for its notification. */
export interface StageLimits {
  readonly tracking: number;
  /** Of each report. Exact hours: calendar days that holidays do not move. */
  readonly analysis: number;
  readonly refundStart: number;
  /** Of each refund. */
  readonly refund: number;
  /** A read that shows an end of a phase before its notification came waits so long for it. */
  readonly nativeHold: number;
}

/**
 * The manual limits the analysis (Manual Operacional do DICT §10.1 and §20.4) and the start of the refund (§20.1.7). It has no limit for the
 * tracking and for a refund: `deadlineSource` says that those two are ours.
 */
export const standardStageLimits: StageLimits = {
  tracking: 30 * MINUTE_MILLISECONDS, analysis: 7 * DAY_MILLISECONDS, refundStart: 3 * DAY_MILLISECONDS, refund: DAY_MILLISECONDS, nativeHold: 10 * MINUTE_MILLISECONDS,
};

/** Every status of the directory with its place in the lifecycle: a record never goes to a lower one. */
const statusRanks = {
  CREATED: 10, TRACKED: 20, AWAITING_ANALYSIS: 30, ANALYSED: 40, REFUNDING: 50, COMPLETED: 60, CANCELLED: 60,
} as const;

export type Status = keyof typeof statusRanks;

/** Names that older texts of the directory use. */
const statusAliases: ReadonlyMap<string, Status> = new Map([['WAITING_ANALYSIS', 'AWAITING_ANALYSIS'], ['BLOCKING', 'TRACKED']]);

/** Null for one that we do not know: the directory may add some at any time. */
export function readStatus(text: string): Status | null {
  return statusAliases.get(text) ?? (Object.hasOwn(statusRanks, text) ? text as Status : null);
}

export function rankOf(status: Status): number {
  return statusRanks[status];
}

export function isTerminal(status: Status): boolean {
  return statusRanks[status] === statusRanks.COMPLETED;
}

/**
 * The status of a record after an event that leads to `reached`. An event that comes late lowers nothing. Of two ends
 * that contradict each other the one that the directory shows holds.
 */
export function statusAfter(current: Status, reached: Status, directoryStatus: Status | null): Status {
  if (isTerminal(reached) && directoryStatus !== null && isTerminal(directoryStatus)) return directoryStatus;
  return statusRanks[reached] > statusRanks[current] ? reached : current;
}

/** Something that happened to a recovery in the directory, however we learned it. */
export interface Fact {
  /** Equal for the same fact whether it was announced, read or both. */
  readonly key: string;
  readonly eventType: string;
  /** The status that it leads to; null for one that changes none. */
  readonly reaches: Status | null;
  /** The directory's time, milliseconds. */
  readonly at: number;
  readonly origin: 'NATIVE' | 'DERIVED' | 'DEADLINE';
  /** The documents that led to it. */
  readonly documents: Document;
  readonly deadline?: Deadline;
  /** It tells of the deadline so many hours before it. */
  readonly noticeHours?: number;
}

export type DeadlineStage = 'TRACKING' | 'ANALYSIS' | 'REFUND_START' | 'REFUND';

/** Whose limit it is: the directory's, of its manual, or this service's own. */
export function deadlineSource(stage: DeadlineStage): 'DIRECTORY' | 'SERVICE' {
  return stage === 'TRACKING' || stage === 'REFUND' ? 'SERVICE' : 'DIRECTORY';
}

export interface Deadline {
  readonly stage: DeadlineStage;
  /** Milliseconds. */
  readonly due: number;
  /** The recovery, report or refund that it is about. */
  readonly entityId: string;
}

export function eventType(name: string): string {
  return `FUNDS_RECOVERY_${name}`;
}

export function statusKey(recoveryId: string, status: Status): string {
  return `fr:${recoveryId}:${status}`;
}

/** The newest documents of a recovery that the directory has shown us, under its names. */
export interface Snapshot {
  readonly FundsRecovery: RecoveryDocument;
  readonly TrackingGraph: Document | null;
  readonly InfractionReports: readonly InfractionReportDocument[];
  readonly Refunds: readonly RefundDocument[];
}

/** BOTH: the tenant has several participants, and one of them opened a recovery against another. */
export type Role = 'SENT' | 'RECEIVED' | 'BOTH';

export interface NextDeadline {
  readonly stage: DeadlineStage;
  readonly at: string;
}

/** What we know of one recovery of a tenant. */
export interface RecoveryRecord {
  readonly id: string;
  /** The participant that it concerns; of several the creator. */
  readonly ispb: string;
  readonly role: Role;
  /** After the last event that was published. */
  readonly status: Status;
  /** Dedupe keys of everything published of it, in order. */
  readonly keys: readonly string[];
  /** Since when a read has shown a status whose notification is still awaited, by status. */
  readonly held: { readonly [status: string]: string };
  readonly analysedAt: string | null;
  readonly nextDeadline: NextDeadline | null;
  /** When a deadline of it is to be announced. */
  readonly nextNoticeAt: string | null;
  /** When the recovery has to be read again even if no notification comes: at a deadline, or at the end of a wait. */
  readonly wakeAt: string | null;
  /** When the recovery's own document was last read. */
  readonly lastReadAt: string | null;
  /** Its personal data was erased on request, and later reads must not bring it back. */
  readonly erased: boolean;
  readonly snapshot: Snapshot;
}
