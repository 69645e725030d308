/**
 * Opens a version of the ownership with the key of its business. Used by this module, by evidence packs and by
 * processes, which learn how many owners there are.
 */
import type { KeyObject } from 'node:crypto';
import type { components } from '../../contract/generated/types.ts';
import type { Transaction } from '../../database/index.ts';
import { openedRow, openingKey } from '../subject-keys/index.ts';
import { type Assessment, ownerKeys, unidentifiedOwners } from './assessment.ts';
import type { RecordedGraph } from './recorded-graph.ts';
import { latestVersion, type OwnershipVersion, ownershipVersion } from './store.ts';

type Schemas = components['schemas'];

/** A version with its content. */
export interface Opened {
  readonly graph: RecordedGraph;
  readonly assessment: Assessment;
  readonly version: number;
  readonly createdAt: string | null;
  readonly createdBy: Schemas['Actor'] | null;
}

export function openedVersion(row: OwnershipVersion, key: KeyObject | null): Opened {
  const { graph, assessment, version, createdAt, createdBy } = openedRow(ownershipVersion, row, key);
  return {
    graph: JSON.parse(graph) as RecordedGraph,
    assessment: JSON.parse(assessment) as Assessment,
    version,
    createdAt,
    createdBy,
  };
}

/** Counts the beneficial owners of the latest version, or returns null if nothing is recorded of the business. */
export async function beneficialOwnersNow(tx: Transaction, businessId: string) {
  const row = await latestVersion(tx, businessId);
  if (row === null) return null;
  const { graph, assessment, version } = openedVersion(row, await openingKey(tx, { type: 'business', id: businessId }));
  return {
    version,
    ownerCount: ownerKeys(assessment).length,
    unidentifiedCount: unidentifiedOwners(graph, assessment),
  };
}
