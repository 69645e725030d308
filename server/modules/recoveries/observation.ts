/**
 * What was read about one recovery at one time, and how it is merged into the stored documents, without input or
 * output. Used by derive.ts and, as a type, by recovery-ingestion. The newest version of a document stays; after an
 * erasure no personal data may come back by a later read.
 */
import type {
  Document,
  InfractionReportDocument,
  NotificationDocument,
  RecoveryDocument,
  RefundDocument,
} from '../../providers/directory/index.ts';
import { dropPersonalData } from '../../rules/personal-data.ts';
import { rankOf, readStatus, type Snapshot, toMilliseconds } from './recovery.ts';

/** Source of a document. */
export interface Provenance {
  /** `DEMO`: the document was invented for demonstration. */
  readonly source: 'DICT' | 'DICT_SIMULATOR' | 'DEMO';
  readonly correlationId: string | null;
  readonly receivedAt: string;
  readonly signature: 'VERIFIED' | 'NONE';
  /** Hash of the bytes as received. */
  readonly sha256: string | null;
}

/** Everything that was read about one recovery at one time. */
export interface Observation {
  /** The tenant's participant that the recovery concerns. */
  readonly ispb: string;
  /** Business time before the first read. The documents show the state at this time or later. */
  readonly at: Date;
  readonly notifications: readonly NotificationDocument[];
  /** Source of the page with the notifications. */
  readonly page: Provenance | null;
  readonly recovery: RecoveryDocument;
  readonly graph: Document | null;
  readonly reports: readonly InfractionReportDocument[];
  readonly refunds: readonly RefundDocument[];
  /** Source of the recovery's document. */
  readonly read: Provenance;
  /** Time since which notifications were lost for good, or null if none were lost. */
  readonly gapSince: string | null;
  /**
   * Present if the recovery's own document was not read. `recovery` is then the stored document, next to what
   * notifications and the lists of reports and refunds show.
   */
  readonly stored?: {
    /** Set if the recovery is known to have changed, so that its document has to be read soon. */
    readonly needsRead: boolean;
  };
}

/**
 * Removes the personal data from an observation. Nothing else may be stored about a recovery whose personal data was
 * erased.
 */
export function withoutPersonalData(observation: Observation): Observation {
  const { recovery, graph, reports, refunds } = observation;
  return {
    ...observation,
    ...dropPersonalData({
      recovery,
      graph,
      reports,
      refunds,
    }),
  };
}

interface Changing extends Document {
  readonly Id: string;
  readonly Status: string;
  readonly LastModified: string;
}

/**
 * Merges an observation into the stored documents. The newest version of each document stays, because reads can
 * overtake one another.
 */
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

/**
 * Ranks a status. Of two versions with the same time, the one with the later status is newer; an unknown status counts
 * as the latest.
 */
function progress(status: string): number {
  const known = readStatus(status);
  return subRanks[status] ?? (known === null ? 99 : rankOf(known));
}
