import { checkpointColumns, checkpointOf, type CheckpointRow, type StoredCheckpoint } from '../../database/audit.ts';
import { knex, type Transaction } from '../../database/index.ts';

export interface CheckpointQuery {
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  /** The size of the last checkpoint of the page before. */
  readonly below: number | null;
  readonly limit: number;
}

/** Newest first, one row more than the page. */
export async function listCheckpoints(tx: Transaction, tenantId: string, { from, to, below, limit }: CheckpointQuery): Promise<StoredCheckpoint[]> {
  const checkpoints = knex('audit_checkpoint').select(checkpointColumns).where({ tenant_id: tenantId });
  if (from !== undefined) checkpoints.where('signed_at', '>=', from);
  if (to !== undefined) checkpoints.where('signed_at', '<', to);
  if (below !== null) checkpoints.where('tree_size', '<', below);
  return (await tx.query<CheckpointRow>(checkpoints.orderBy('tree_size', 'desc').limit(limit + 1))).map(checkpointOf);
}
