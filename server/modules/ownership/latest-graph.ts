import type { Transaction } from '../../database/index.ts';
import { openedRow, openingKey } from '../subject-keys/index.ts';
import { NO_OWNERS, type RecordedGraph } from './recorded-graph.ts';
import { latestVersion, ownershipVersion } from './store.ts';

/** Returns the latest graph of a business and the number of its version, 0 if nothing is recorded. */
export async function latestGraph(
  tx: Transaction,
  businessId: string,
): Promise<{ readonly graph: RecordedGraph; readonly version: number }> {
  const row = await latestVersion(tx, businessId);
  if (row === null) return { graph: NO_OWNERS, version: 0 };
  const key = await openingKey(tx, { type: 'business', id: businessId });
  return { graph: JSON.parse(openedRow(ownershipVersion, row, key).graph) as RecordedGraph, version: row.version };
}
