import type { Cents, Instant } from './values.ts';

/** What the tenant's own participant is in a recovery: its creator, or the receiver of the payment. */
export type Role = 'SENT' | 'RECEIVED';

/** The reports of a recovery: of the root payment, and of what was passed on from there. */
export type Label = 'A' | 'B' | 'C';

export const situations = ['SCAM', 'ACCOUNT_TAKEOVER', 'COERCION', 'FRAUDULENT_ACCESS', 'OTHER', 'UNKNOWN'] as const;
export type Situation = (typeof situations)[number];

/** What the directory does when a limit has passed. Undocumented for the real one, which `NONE` stands for. */
export const expiryPolicies = ['NONE', 'AUTO_AGREE', 'AUTO_DISAGREE', 'AUTO_CANCEL'] as const;
export type ExpiryPolicy = (typeof expiryPolicies)[number];

/** How fast people and the directory act. */
export const paces = ['instant', 'stepped', 'realtime'] as const;
export type Pace = (typeof paces)[number];

/** One payment on the way of the money and how its receiver behaves. Delays are milliseconds. */
export interface Hop {
  readonly label: Label;
  /** The payment whose receiver passed it on; null for the root. */
  readonly from: Label | null;
  /** Of the root amount, in thousandths: what the receiver is asked to block. */
  readonly share: number;
  readonly analysis: { readonly result: 'AGREE' | 'DISAGREE' | 'SILENT'; readonly after: number };
  readonly refund: { readonly result: 'PAY_ALL' | 'PAY_PART' | 'NO_BALANCE' | 'SILENT'; readonly after: number; /** Thousandths, of PAY_PART. */ readonly part: number };
}

export type Action = 'START_REFUND' | 'CANCEL' | 'UPDATE_INFORMATION';
export type Status = 'CREATED' | 'TRACKED' | 'AWAITING_ANALYSIS' | 'ANALYSED' | 'REFUNDING' | 'COMPLETED' | 'CANCELLED';

/** What the creator does, so long after the recovery has reached a status. */
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
  /** Of the root payment, with two decimal places. */
  readonly amount: string;
  readonly situation: Situation;
  /** At which the delays below were made; they say all of it, so nothing follows from it here. */
  readonly pace: Pace;
  /** `NONE` goes straight to the analysis; `REFUSED` is a graph too large to be built, so that no recovery begins. */
  readonly tracking: 'NONE' | 'BUILT' | 'REFUSED';
  /** Milliseconds that the directory takes: to build the graph, to open the reports, for what follows from an answer. */
  readonly delays: { readonly track: number; readonly open: number; readonly settle: number };
  readonly hops: readonly Hop[];
  readonly plan: readonly PlannedAction[];
  readonly onTimeout: ExpiryPolicy;
}

/** What the creator does unplanned. One that the status does not allow is refused, as by the directory. */
export interface Act {
  readonly type: 'ACT';
  readonly runId: string;
  readonly action: Action;
}

/** The next so many notifications are never listed, or only later. */
export interface DisturbNotifications {
  readonly type: 'DROP_NOTIFICATIONS' | 'DELAY_NOTIFICATIONS';
  readonly count: number;
}

export type Command = OpenRecovery | Act | DisturbNotifications;

/** A command and when it was given. Those of one instant are obeyed in the order of `seq`. */
export interface JournalEntry {
  readonly seq: number;
  /** RFC 3339, of the sandbox clock. */
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
  /** How often the creator has changed the information. */
  readonly updates: number;
  readonly graphBuiltAt: Instant | null;
}

/** One payment on the way of the money. */
export interface Payment {
  readonly label: Label;
  /** The payment whose receiver made it; null for the root. */
  readonly from: Label | null;
  readonly transactionId: string;
  readonly receiver: string;
  readonly amount: Cents;
  readonly settledAt: Instant;
}

export interface Report {
  readonly id: string;
  readonly label: Label;
  readonly from: Label | null;
  readonly transactionId: string;
  readonly counterparty: string;
  /** To block at the counterparty. */
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
  readonly rejection: 'NO_BALANCE' | null;
  readonly returned: Cents;
  /** Of the return. */
  readonly transactionId: string;
  readonly createdAt: Instant;
  readonly modifiedAt: Instant;
}

export type FactKind =
  | Status | 'COUNTERPARTY_ANALYSED' | 'REFUND_CLOSED' | 'INFORMATION_UPDATED'
  | 'TRACKING_TIMED_OUT' | 'ANALYSIS_TIMED_OUT' | 'REFUND_START_TIMED_OUT' | 'REFUND_TIMED_OUT';

/** Something that happened to a recovery, for good. */
export interface Fact {
  readonly at: Instant;
  readonly kind: FactKind;
  /** Of the recovery, once it has happened. */
  readonly status: Status;
  /** What it is about, where that is not the recovery as a whole. */
  readonly report: Report | null;
  readonly refund: Refund | null;
  readonly result: string | null;
}

export interface Refusal {
  readonly at: Instant;
  readonly action: Action | 'OPEN_RECOVERY';
  /** The directory's name of the error. */
  readonly error: 'FundsRecoveryTrackingTimeout' | 'FundsRecoveryOperationNotAllowed';
}

/** A recovery from its creation up to some instant. */
export interface Run {
  readonly runId: string;
  readonly scenario: string;
  readonly role: Role;
  readonly pace: Pace;
  readonly startedAt: Instant;
  /** The participant of the tenant, and whichever part it has here. */
  readonly own: string;
  /** Null when the directory refused to begin one. */
  readonly recovery: Recovery | null;
  readonly payments: readonly Payment[];
  readonly reports: readonly Report[];
  readonly refunds: readonly Refund[];
  readonly facts: readonly Fact[];
  readonly refusals: readonly Refusal[];
  /** When something happens next by itself; null when nothing does. */
  readonly nextAt: Instant | null;
}

export interface Notification {
  readonly id: string;
  readonly runId: string;
  readonly participant: string;
  readonly event: 'ANALYSED' | 'COMPLETED' | 'CANCELLED' | 'INFORMATION_UPDATED';
  readonly entityId: string;
  readonly at: Instant;
  /** When the directory lists it; null when never. */
  readonly listedAt: Instant | null;
}

/** All that the directory holds of a tenant's participant at `now`. */
export interface State {
  readonly tenantId: string;
  readonly ispb: string;
  readonly now: Instant;
  readonly runs: readonly Run[];
  /** In the order in which they happened, those that are not listed included. */
  readonly notifications: readonly Notification[];
}
