import type { Action, Label, Pace, Role, Situation, Status } from './command.ts';
import type { Cents } from './money.ts';
import type { Instant } from './time.ts';

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
