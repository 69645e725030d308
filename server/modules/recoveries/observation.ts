import type { Document, InfractionReportDocument, NotificationDocument, RecoveryDocument, RefundDocument } from '../../providers/directory/index.ts';
import { dropPersonalData } from '../../rules/personal-data.ts';
import { rankOf, readStatus, type Snapshot, toMilliseconds } from './recovery.ts';

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

interface Changing extends Document {
  readonly Id: string;
  readonly Status: string;
  readonly LastModified: string;
}

/** What is known now: of each document the newest that was ever shown, because reads can overtake one another. */
export function mergeSnapshot(before: Snapshot | null, seen: Observation): Snapshot {
  return {
    FundsRecovery: newer(before?.FundsRecovery, seen.recovery),
    TrackingGraph: seen.graph ?? before?.TrackingGraph ?? null,
    InfractionReports: mergeList(before?.InfractionReports ?? [], seen.reports),
    Refunds: mergeList(before?.Refunds ?? [], seen.refunds),
  };
}

function mergeList<T extends Changing>(before: readonly T[], seen: readonly T[]): readonly T[] {
  const byId = new Map(before.map((document) => [document.Id, document]));
  for (const document of seen) byId.set(document.Id, newer(byId.get(document.Id), document));
  return [...byId.values()];
}

function newer<T extends Changing>(before: T | undefined, seen: T): T {
  if (before === undefined) return seen;
  const later = toMilliseconds(seen.LastModified) - toMilliseconds(before.LastModified);
  return later > 0 || (later === 0 && progress(seen.Status) >= progress(before.Status)) ? seen : before;
}

const subRanks: Readonly<Record<string, number>> = { OPEN: 1, ACKNOWLEDGED: 2, CLOSED: 3 };

/** Within one millisecond the status tells which of two is the later; an unknown one is believed to be new. */
function progress(status: string): number {
  const known = readStatus(status);
  return subRanks[status] ?? (known === null ? 99 : rankOf(known));
}
