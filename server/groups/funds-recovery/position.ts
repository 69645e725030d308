import type { Transaction } from '../../database/index.ts';
import type { Consumer } from './feed-cursor.ts';
import { findPosition } from './store.ts';

/** How far a consumer has acknowledged. Asking moves nothing. */
export async function readPosition(tx: Transaction, { tenantId, environment, id }: Consumer) {
  const [row] = await tx.run(findPosition, { tenantId, env: environment, consumer: id });
  if (row === undefined) throw new Error('the tenant has no feed');
  return {
    acknowledgedEventId: row.acknowledged_event_id,
    acknowledgedAt: row.acknowledged_at,
    pendingCount: row.pending,
    oldestUnacknowledgedAt: row.oldest_pending_at,
  };
}
