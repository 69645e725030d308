import type { Document, InfractionReportDocument, NotificationDocument, RecoveryDocument, RefundDocument } from '../../../providers/directory/index.ts';
import { dropPersonalData } from '../payloads/personal-data.ts';

/** Where a document came from. */
export interface Provenance {
  /** `DEMO`: from nowhere, invented for people to look at. */
  readonly source: 'DICT' | 'DICT_SIMULATOR' | 'DEMO';
  readonly correlationId: string | null;
  readonly receivedAt: string;
  readonly signature: 'VERIFIED' | 'NONE';
  /** Of the bytes as received. */
  readonly sha256: string | null;
}

/** Everything that was read of one recovery at one time. */
export interface Observation {
  /** The participant of ours that it concerns. */
  readonly ispb: string;
  /** Business time before the first of the reads: what they show was so at this time or later. */
  readonly at: Date;
  readonly notifications: readonly NotificationDocument[];
  /** Of the page with the notifications. */
  readonly page: Provenance | null;
  readonly recovery: RecoveryDocument;
  readonly graph: Document | null;
  readonly reports: readonly InfractionReportDocument[];
  readonly refunds: readonly RefundDocument[];
  /** Of the recovery's document. */
  readonly read: Provenance;
  /** Since when notifications were lost for good, when they were. */
  readonly gapSince: string | null;
}

/** The same, as it may be kept of a recovery whose persons were erased. */
export function withoutPersonalData(seen: Observation): Observation {
  const { recovery, graph, reports, refunds } = seen;
  return { ...seen, ...dropPersonalData({ recovery, graph, reports, refunds }) };
}
