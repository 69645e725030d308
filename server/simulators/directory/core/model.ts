/**
 * This file defines the types of the simulated directory: the commands in its journal and the recoveries, reports and
 * refunds that follow from them. Used by all files of the simulator.
 */
import type { Cents, Instant } from './values.ts';

/**
 * The role of the tenant's own participant in a recovery: SENT is its creator, RECEIVED the receiver of the payment.
 */
export type Role = 'SENT' | 'RECEIVED';

/** Names of the reports of a recovery: A for the root payment, B and C for the payments that passed the money on. */
export type Label = 'A' | 'B' | 'C';

export const situations = ['SCAM', 'ACCOUNT_TAKEOVER', 'COERCION', 'FRAUDULENT_ACCESS', 'OTHER', 'UNKNOWN'] as const;
export type Situation = (typeof situations)[number];

/** What the directory does when a time limit has passed. `NONE` is the real directory, which documents nothing. */
export const expiryPolicies = ['NONE', 'AUTO_AGREE', 'AUTO_DISAGREE', 'AUTO_CANCEL'] as const;
export type ExpiryPolicy = (typeof expiryPolicies)[number];

/** The speed at which people and the directory act. */
export const paces = ['instant', 'stepped', 'realtime'] as const;
export type Pace = (typeof paces)[number];

/** Errors with which the directory refuses to begin a recovery (DICT API, createFundsRecovery). */
export const creationRefusals = [
  'FundsRecoveryInvalid',
  'FundsRecoveryTrackingGraphParameterInvalid',
  'FundsRecoveryTrackingTimeout',
  'FundsRecoveryTransactionNotIndexed',
  'FundsRecoveryForTransactionAlreadyExists',
  'FundsRecoveryTransactionNotEligible',
  'FundsRecoveryTransactionNotSettled',
] as const;
export type CreationRefusal = (typeof creationRefusals)[number];

/** Reasons with which a receiver, or the directory for one that is excluded, rejects a refund. */
export const rejectionReasons = [
  'NO_BALANCE',
  'ACCOUNT_CLOSURE',
  'INVALID_REQUEST',
  'OTHER',
  'PARTICIPANT_EXCLUSION',
] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

export const refundReasons = ['FRAUD', 'OPERATIONAL_FLAW', 'PIX_AUTOMATICO'] as const;
export type RefundReason = (typeof refundReasons)[number];

/** Forms of documents: `COMPLETE` has every element that the directory knows, `MINIMAL` only the mandatory ones. */
export const documentForms = ['COMPLETE', 'MINIMAL'] as const;
export type DocumentForm = (typeof documentForms)[number];

/** One payment of the traced money and the behaviour of its receiver. Delays are in milliseconds. */
export interface Hop {
  readonly label: Label;
  /** The payment whose receiver passed it on; null for the root. */
  readonly from: Label | null;
  /** The part of the root amount, in thousandths, that the receiver is asked to block. */
  readonly share: number;
  readonly analysis: {
    readonly result: 'AGREE' | 'DISAGREE' | 'SILENT';
    readonly after: number;
    /** Time until the report is acknowledged. If absent, half of `after`. */
    readonly acknowledgedAfter?: number | undefined;
  };
  readonly refund: {
    readonly result: 'PAY_ALL' | 'PAY_PART' | 'NO_BALANCE' | 'SILENT';
    readonly after: number;
    /** Thousandths, of PAY_PART. */
    readonly part: number;
  };
}

export type Action = 'START_REFUND' | 'CANCEL' | 'UPDATE_INFORMATION';
export type Status = 'CREATED' | 'TRACKED' | 'AWAITING_ANALYSIS' | 'ANALYSED' | 'REFUNDING' | 'COMPLETED' | 'CANCELLED';

/** An action that the creator performs `after` milliseconds in the status `when`. */
export interface PlannedAction {
  readonly action: Action;
  readonly when: Status;
  readonly after: number;
}

export interface OpenRecovery {
  readonly type: 'OPEN_RECOVERY';
  readonly runId: string;
  readonly scenario: string;
  readonly role: Role;
  /** The amount of the root payment, with two decimal places. */
  readonly amount: string;
  readonly situation: Situation;
  /** The pace from which the delays below were computed. It is kept for information only. */
  readonly pace: Pace;
  /**
   * `NONE` skips the tracking graph. With `REFUSED` the graph is too large to be built and the recovery does not begin.
   */
  readonly tracking: 'NONE' | 'BUILT' | 'REFUSED';
  /** Milliseconds that the directory takes to build the graph, to open the reports and to react to an answer. */
  readonly delays: { readonly track: number; readonly open: number; readonly settle: number };
  readonly hops: readonly Hop[];
  readonly plan: readonly PlannedAction[];
  readonly onTimeout: ExpiryPolicy;
  /** Error with which the directory refuses the recovery. Older journals lack this and the following members. */
  readonly refusal?: CreationRefusal | undefined;
  readonly rejectionReason?: RejectionReason | undefined;
  readonly refundReason?: RefundReason | undefined;
  readonly documents?: DocumentForm | undefined;
}

/**
 * An unplanned action of the creator. The simulator refuses one that the status does not allow, as the directory does.
 */
export interface Act {
  readonly type: 'ACT';
  readonly runId: string;
  readonly action: Action;
}

/** Makes the next `count` notifications disappear or appear late. */
export interface DisturbNotifications {
  readonly type: 'DROP_NOTIFICATIONS' | 'DELAY_NOTIFICATIONS';
  readonly count: number;
}

export type Command = OpenRecovery | Act | DisturbNotifications;

/** A command and its time. Commands of the same time are performed in the order of `seq`. */
export interface JournalEntry {
  readonly seq: number;
  /** Time on the sandbox clock (RFC 3339). */
  readonly at: string;
  readonly command: Command;
}

export interface Recovery {
  readonly id: string;
  readonly rootTransactionId: string;
  readonly amount: Cents;
  readonly creator: string;
  readonly situation: Situation;
  readonly status: Status;
  readonly createdAt: Instant;
  readonly modifiedAt: Instant;
  /** Number of times that the creator has changed the information. */
  readonly updates: number;
  readonly graphBuiltAt: Instant | null;
  readonly refundReason: RefundReason;
  readonly documents: DocumentForm;
}

/** One payment of the traced money. */
export interface Payment {
  readonly label: Label;
  /** The payment whose receiver made it; null for the root. */
  readonly from: Label | null;
  readonly transactionId: string;
  readonly sender: string;
  readonly receiver: string;
  readonly amount: Cents;
  readonly settledAt: Instant;
}

export interface Report {
  readonly id: string;
  readonly label: Label;
  readonly from: Label | null;
  readonly transactionId: string;
  /** The institution that made the payment; for the root the creator of the recovery. */
  readonly reporter: string;
  readonly counterparty: string;
  /** The amount that the counterparty is asked to block. */
  readonly amount: Cents;
  readonly status: 'OPEN' | 'ACKNOWLEDGED' | 'CLOSED' | 'CANCELLED';
  readonly result: 'AGREED' | 'DISAGREED' | null;
  readonly createdAt: Instant;
  readonly modifiedAt: Instant;
}

export interface Refund {
  readonly id: string;
  readonly report: Report;
  readonly amount: Cents;
  readonly status: 'OPEN' | 'CLOSED';
  readonly result: 'TOTALLY_ACCEPTED' | 'PARTIALLY_ACCEPTED' | 'REJECTED' | null;
  readonly rejection: RejectionReason | null;
  readonly returned: Cents;
  /** The payment that returns the money, once it was made. */
  readonly transactionId: string | null;
  readonly createdAt: Instant;
  readonly modifiedAt: Instant;
}

export type FactKind =
  | Status
  | 'REPORT_OPENED'
  | 'REPORT_ACKNOWLEDGED'
  | 'COUNTERPARTY_ANALYSED'
  | 'REPORT_CANCELLED'
  | 'REFUND_OPENED'
  | 'REFUND_CLOSED'
  | 'INFORMATION_UPDATED'
  | 'TRACKING_TIMED_OUT'
  | 'ANALYSIS_TIMED_OUT'
  | 'REFUND_START_TIMED_OUT'
  | 'REFUND_TIMED_OUT';

/** Something that happened to a recovery; it is never undone. */
export interface Fact {
  readonly at: Instant;
  readonly kind: FactKind;
  /** The status of the recovery afterwards. */
  readonly status: Status;
  /** The report or refund that it concerns; null when it concerns the recovery as a whole. */
  readonly report: Report | null;
  readonly refund: Refund | null;
  readonly result: string | null;
}

export interface Refusal {
  readonly at: Instant;
  readonly action: Action | 'OPEN_RECOVERY';
  /** The directory's name of the error. */
  readonly error: CreationRefusal | 'FundsRecoveryOperationInvalid';
}

/** A recovery from its creation up to some instant. */
export interface Run {
  readonly runId: string;
  readonly scenario: string;
  readonly role: Role;
  readonly pace: Pace;
  readonly startedAt: Instant;
  /** The ISPB of the tenant's participant, whatever its role is. */
  readonly own: string;
  /** Null when the directory refused to begin one. */
  readonly recovery: Recovery | null;
  readonly payments: readonly Payment[];
  readonly reports: readonly Report[];
  readonly refunds: readonly Refund[];
  readonly facts: readonly Fact[];
  readonly refusals: readonly Refusal[];
  /** The time of the next event without a command; null when there is none. */
  readonly nextAt: Instant | null;
}

export interface Notification {
  readonly id: string;
  readonly runId: string;
  readonly participant: string;
  readonly event: 'ANALYSED' | 'COMPLETED' | 'CANCELLED' | 'INFORMATION_UPDATED';
  readonly entityId: string;
  readonly at: Instant;
  /** Time at which the directory lists the notification; null if never. */
  readonly listedAt: Instant | null;
}

/** Everything that the directory holds for a tenant's participant at `now`. */
export interface State {
  readonly tenantId: string;
  readonly ispb: string;
  readonly now: Instant;
  readonly runs: readonly Run[];
  /** Ordered by event, including those that are not listed (yet). */
  readonly notifications: readonly Notification[];
}
