/**
 * The threshold that counts for a business, and the recording of a version with what follows from it. Used by the
 * handlers and by the listener that hears of another level of risk.
 */
import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '../../base/canonical-json.ts';
import type { BusinessTime, RealTime } from '../../base/time.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Transaction } from '../../database/index.ts';
import { policyThreshold, type Threshold } from '../../ownership/threshold.ts';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import { currentRisk } from '../applications/index.ts';
import type { Business } from '../businesses/index.ts';
import { publish } from '../subject-events/index.ts';
import { sealedRow, sealingKey } from '../subject-keys/index.ts';
import { readSettings } from '../tenant-settings/index.ts';
import { type Assessment, ownerKeys, representativeKeys, unidentifiedOwners } from './assessment.ts';
import type { Opened } from './opened-version.ts';
import type { RecordedGraph } from './recorded-graph.ts';
import { insertVersion, ownershipVersion } from './store.ts';

export const MILLIONTHS = 1_000_000;

/** Returns the threshold of the settings for the level of risk that counts now. */
export async function thresholdFor(tx: Transaction, businessId: string): Promise<Threshold> {
  const [{ ownership }, risk] = await Promise.all([
    readSettings(tx, tx.tenantId!),
    currentRisk(tx, { kind: 'business', id: businessId }),
  ]);
  const millionths = (percent: number): number => Math.round(percent * MILLIONTHS);
  const lowerFor = ownership.lowerFor.map(({ riskLevel, percent }) => ({ riskLevel, millionths: millionths(percent) }));
  return policyThreshold(
    { millionths: millionths(ownership.percent), comparator: ownership.comparator, lowerFor },
    risk?.effectiveLevel ?? null,
  );
}

interface Recorded {
  readonly graph: RecordedGraph;
  readonly assessment: Assessment;
  /** Number of the version. */
  readonly version: number;
  readonly by: components['schemas']['Actor'];
  readonly at: BusinessTime;
  readonly now: RealTime;
}

/** Inserts a version and publishes it. The caller must hold the lock on the business, and audits it. */
export async function recordVersion(
  tx: Transaction,
  { id: businessId, environment }: Pick<Business, 'id' | 'environment'>,
  { graph, assessment, version, by, at, now }: Recorded,
): Promise<Opened> {
  const record = {
    id: uuidv7(),
    graph: JSON.stringify(graph),
    assessment: JSON.stringify(assessment),
  };
  const key = await sealingKey(tx, { type: 'business', id: businessId }, { environment, now: at });
  insertVersion(tx, {
    ...sealedRow(ownershipVersion, record, key),
    environment,
    businessId,
    version,
    partyCount: graph.parties.length,
    edgeCount: graph.edges.length,
    isComplete: assessment.complete,
    unresolved: Math.round(assessment.unresolvedPercent * MILLIONTHS),
    beneficialOwners: assessment.items.filter(({ isBeneficialOwner }) => isBeneficialOwner === 'yes').length,
    unidentifiedOwners: unidentifiedOwners(graph, assessment),
    ownerKeys: ownerKeys(assessment),
    representativeKeys: representativeKeys(graph, calendarDate(at)),
    digest: digestOfGraph(graph),
    documentIds: [...new Set(graph.edges.flatMap(({ evidenceDocumentId }) => evidenceDocumentId ?? []))],
    createdAt: at,
    createdBy: by,
  });
  await publish(tx, {
    type: 'ownership.replaced',
    subject: { kind: 'business', id: businessId },
    environment,
    at,
    now,
  });
  return {
    graph,
    assessment,
    version,
    createdAt: at.toISOString(),
    createdBy: by,
  };
}

/** Returns what the audit log records of a version. */
export function replacedChanges({ graph, assessment, version }: Pick<Opened, 'graph' | 'assessment' | 'version'>) {
  return {
    version,
    parties: graph.parties.length,
    edges: graph.edges.length,
    complete: assessment.complete,
  };
}

/** Digest of a graph, by which evidence names its content. */
function digestOfGraph(graph: RecordedGraph): string {
  return createHash('sha256')
    .update(canonicalJson(graph as unknown as Json), 'utf8')
    .digest('hex');
}
