import type { Document, InfractionReportDocument, RecoveryDocument, RefundDocument } from '../../../providers/directory/index.ts';
import type { DeadlineStage } from './fact.ts';
import type { Status } from './status.ts';

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
  /** When it has to be looked at again although nothing is announced: a deadline, or the end of a wait. */
  readonly wakeAt: string | null;
  /** What it told of persons was erased and shall not come back. */
  readonly erased: boolean;
  readonly snapshot: Snapshot;
}
