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
  /** Present if the recovery's own document was not read: it is the stored one, beside what notifications and lists of reports and refunds show. */
  readonly stored?: {
    /** Something says that the recovery has changed, so that its document is to be read soon. */
    readonly needsRead: boolean;
  };
}

/** The observation without personal data: all that may be kept of a recovery whose personal data was erased. */
export function withoutPersonalData(observation: Observation): Observation {
  const { recovery, graph, reports, refunds } = observation;
  return { ...observation, ...dropPersonalData({ recovery, graph, reports, refunds }) };
}

interface Changing extends Document {
  readonly Id: string;
  readonly Status: string;
  readonly LastModified: string;
}

/** Merges what was read into what is known. Of each document the newest version stays, because reads can overtake one another. */
export function mergeSnapshot(before: Snapshot | null, observation: Observation): Snapshot {
  return {
    FundsRecovery: newer(before?.FundsRecovery, observation.recovery),
    TrackingGraph: observation.graph ?? before?.TrackingGraph ?? null,
    InfractionReports: mergeList(before?.InfractionReports ?? [], observation.reports),
    Refunds: mergeList(before?.Refunds ?? [], observation.refunds),
  };
}

function mergeList<T extends Changing>(before: readonly T[], incoming: readonly T[]): readonly T[] {
  const byId = new Map(before.map((document) => [document.Id, document]));
  for (const document of incoming) byId.set(document.Id, newer(byId.get(document.Id), document));
  return [...byId.values()];
}

function newer<T extends Changing>(before: T | undefined, incoming: T): T {
  if (before === undefined) return incoming;
  const later = toMilliseconds(incoming.LastModified) - toMilliseconds(before.LastModified);
  return later > 0 || (later === 0 && progress(incoming.Status) >= progress(before.Status)) ? incoming : before;
}

const subRanks: Readonly<Record<string, number>> = { OPEN: 1, ACKNOWLEDGED: 2, CLOSED: 3 };

/** Of two versions with the same time, the one with the later status is the newer; an unknown status counts as the latest. */
function progress(status: string): number {
  const known = readStatus(status);
  return subRanks[status] ?? (known === null ? 99 : rankOf(known));
}
