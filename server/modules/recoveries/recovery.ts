/**
 * Vocabulary of recoveries, without input or output: statuses and their order, stages with their limits, facts and
 * events. Used by nearly all files of this module. Unknown statuses of the directory are expected and give null.
 */
import { DAY_MILLISECONDS, MINUTE_MILLISECONDS } from '../../base/time.ts';
import type {
  Document,
  InfractionReportDocument,
  RecoveryDocument,
  RefundDocument,
} from '../../providers/directory/index.ts';

export function toMilliseconds(time: string): number {
  return Date.parse(time);
}

/** Formats a time as RFC 3339 in UTC with milliseconds, which is the precision of the directory. */
export function isoTime(at: number | string): string {
  return new Date(at).toISOString();
}

/** Time limit of each step, and how long an event waits for its notification, in milliseconds. */
export interface StageLimits {
  readonly tracking: number;
  /** Limit of each report. Exact hours: calendar days, which holidays do not move. */
  readonly analysis: number;
  readonly refundStart: number;
  /** Limit of each refund. */
  readonly refund: number;
  /** How long a read that shows the end of a phase waits for the notification of that end. */
  readonly nativeHold: number;
}

/**
 * The manual limits the analysis (Manual Operacional do DICT §10.1 and §20.4) and the start of the refund (§20.1.7). It
 * has no limit for tracking or for a refund: `deadlineSource` marks those two as limits of this service.
 */
export const standardStageLimits: StageLimits = {
  tracking: 30 * MINUTE_MILLISECONDS,
  analysis: 7 * DAY_MILLISECONDS,
  refundStart: 3 * DAY_MILLISECONDS,
  refund: DAY_MILLISECONDS,
  nativeHold: 10 * MINUTE_MILLISECONDS,
};

/** Every status of the directory with its position in the lifecycle. A record never moves to a lower position. */
const statusRanks = {
  CREATED: 10,
  TRACKED: 20,
  AWAITING_ANALYSIS: 30,
  ANALYSED: 40,
  REFUNDING: 50,
  COMPLETED: 60,
  CANCELLED: 60,
} as const;

export type Status = keyof typeof statusRanks;

/** Names that older texts of the directory use. */
const statusAliases: ReadonlyMap<string, Status> = new Map([
  ['WAITING_ANALYSIS', 'AWAITING_ANALYSIS'],
  ['BLOCKING', 'TRACKED'],
]);

/** Returns null for an unknown status, because the directory may add statuses at any time. */
export function readStatus(text: string): Status | null {
  return statusAliases.get(text) ?? (Object.hasOwn(statusRanks, text) ? (text as Status) : null);
}

export function rankOf(status: Status): number {
  return statusRanks[status];
}

export function isTerminal(status: Status): boolean {
  return statusRanks[status] === statusRanks.COMPLETED;
}

/**
 * Returns the status of a record after an event that leads to `reached`. A late event never lowers the status. If two
 * ends contradict each other, the one that the directory shows prevails.
 */
export function statusAfter(current: Status, reached: Status, directoryStatus: Status | null): Status {
  if (isTerminal(reached) && directoryStatus !== null && isTerminal(directoryStatus)) return directoryStatus;
  return statusRanks[reached] > statusRanks[current] ? reached : current;
}

/** Something that happened to a recovery in the directory, however this service learned of it. */
export interface Fact {
  /** Key that is equal for the same fact whether it was announced, read or both. */
  readonly key: string;
  readonly eventType: string;
  /** Status that the fact leads to, or null if it changes none. */
  readonly reaches: Status | null;
  /** Time according to the directory, in milliseconds. */
  readonly at: number;
  readonly origin: 'NATIVE' | 'DERIVED' | 'DEADLINE';
  /** Documents that led to the fact. */
  readonly documents: Document;
  readonly deadline?: Deadline;
  /** Set on a notice: how many hours before the deadline the notice is due. */
  readonly noticeHours?: number;
}

export type DeadlineStage = 'TRACKING' | 'ANALYSIS' | 'REFUND_START' | 'REFUND';

/** Returns the source of a limit: the manual of the directory, or this service. */
export function deadlineSource(stage: DeadlineStage): 'DIRECTORY' | 'SERVICE' {
  return stage === 'TRACKING' || stage === 'REFUND' ? 'SERVICE' : 'DIRECTORY';
}

export interface Deadline {
  readonly stage: DeadlineStage;
  /** Due date, in milliseconds. */
  readonly due: number;
  /** Id of the recovery, report or refund that the deadline concerns. */
  readonly entityId: string;
}

export function eventType(name: string): string {
  return `FUNDS_RECOVERY_${name}`;
}

export function statusKey(recoveryId: string, status: Status): string {
  return `fr:${recoveryId}:${status}`;
}

/** The newest documents of a recovery that the directory has sent, under the directory's names. */
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

/** Stored state of one recovery of a tenant. */
export interface RecoveryRecord {
  readonly id: string;
  /** Participant that the recovery concerns. If there are several, the creator. */
  readonly ispb: string;
  readonly role: Role;
  /** Status after the last published event. */
  readonly status: Status;
  /** Dedupe keys of all published events of the recovery, in order. */
  readonly keys: readonly string[];
  /** Time at which a read first showed a status whose notification is still awaited, by status. */
  readonly held: { readonly [status: string]: string };
  readonly analysedAt: string | null;
  readonly nextDeadline: NextDeadline | null;
  /** When the next notice of a deadline is due. */
  readonly nextNoticeAt: string | null;
  /** When the recovery has to be read again even if no notification comes: at a deadline, or at the end of a wait. */
  readonly wakeAt: string | null;
  /** When the recovery's own document was last read. */
  readonly lastReadAt: string | null;
  /** Set if the personal data was erased on request. Later reads must not restore it. */
  readonly erased: boolean;
  readonly snapshot: Snapshot;
}
