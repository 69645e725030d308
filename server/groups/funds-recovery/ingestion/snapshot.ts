import type { Document } from '../../../providers/directory/index.ts';
import type { Observation } from './observation.ts';
import type { Snapshot } from './record.ts';
import { rankOf, readStatus } from './status.ts';
import { milliseconds } from './time.ts';

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
  const later = milliseconds(seen.LastModified) - milliseconds(before.LastModified);
  return later > 0 || (later === 0 && progress(seen.Status) >= progress(before.Status)) ? seen : before;
}

const subRanks: Readonly<Record<string, number>> = { OPEN: 1, ACKNOWLEDGED: 2, CLOSED: 3 };

/** Within one millisecond the status tells which of two is the later; an unknown one is believed to be new. */
function progress(status: string): number {
  const known = readStatus(status);
  return subRanks[status] ?? (known === null ? 99 : rankOf(known));
}
