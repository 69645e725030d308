/**
 * Statements of the job that records ended keys (`expire-keys.ts`). The batch locks its rows and marks them in the same
 * statement, so each end is recorded once even if two processes run the job.
 */
import type { RealTime } from '../../base/time.ts';
import { sql, statement, type Transaction } from '../../database/index.ts';

interface EndedKey {
  readonly prefix: string;
  readonly environment: 'live' | 'test';
  readonly endedAt: string;
  readonly rotated: boolean;
}

const recordEnds = statement<{ tenantId: string; now: RealTime; count: number }, EndedKey>(
  'apiKey.recordEnds',
  (p) => sql`
  WITH due AS (
    SELECT id FROM api_key
    WHERE tenant_id = ${p.tenantId}::uuid AND ends_at <= ${p.now} AND end_recorded_at IS NULL AND status <> 'revoked'
    ORDER BY id LIMIT ${p.count} FOR NO KEY UPDATE)
  UPDATE api_key k SET end_recorded_at = ${p.now} FROM due WHERE k.tenant_id = ${p.tenantId}::uuid AND k.id = due.id
  RETURNING k.prefix, k.environment, k.ends_at AS "endedAt", (k.status = 'rotating') AS rotated`,
);

const forgetUsage = statement<{ tenantId: string; before: Date }>(
  'apiKey.forgetUsage',
  (p) => sql`
  DELETE FROM api_key_usage WHERE tenant_id = ${p.tenantId} AND hour < ${p.before}`,
);

/** Marks at most `count` ended keys as recorded, and returns them. */
export async function recordKeyEnds(
  tx: Transaction,
  tenantId: string,
  now: RealTime,
  count: number,
): Promise<EndedKey[]> {
  return tx.run(recordEnds, { tenantId, now, count });
}

export async function deleteKeyUsage(tx: Transaction, tenantId: string, before: Date): Promise<void> {
  await tx.run(forgetUsage, { tenantId, before });
}
