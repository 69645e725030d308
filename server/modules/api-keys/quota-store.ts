/**
 * Counts the API keys of a tenant against its quota. Used by creation of keys, and by modules that show the usage.
 * Takes a lock on the row of the tenant until the transaction ends, so simultaneous creations wait for each other;
 * without it both could take the last free place.
 */
import type { RealTime } from '../../base/time.ts';
import { sql, statement, type Transaction } from '../../database/index.ts';
import { apiKey, tenant } from '../../identity/tables.ts';
import { STANDARD_QUOTAS } from '../../identity/tenant.ts';

const lockTenant = statement<{ tenantId: string }, { quota: number | null }>(
  'apiKey.lockTenant',
  (p) => sql`
  SELECT (quotas->>'apiKeys')::integer AS quota FROM tenant
    WHERE ${tenant.equal({ id: p.tenantId })} FOR NO KEY UPDATE`,
);

const countActive = statement<{ tenantId: string; now: RealTime }, { count: number }>(
  'apiKey.countActive',
  (p) => sql`
  SELECT count(*) FROM api_key WHERE ${apiKey.equal({ tenantId: p.tenantId, status: 'active' })}
    AND (ends_at IS NULL OR ends_at > ${p.now})`,
);

export async function countActiveKeys(tx: Transaction, tenantId: string, now: RealTime): Promise<number> {
  const [row] = await tx.run(countActive, { tenantId, now });
  return row?.count ?? 0;
}

/**
 * Returns whether the tenant may have another key. Working keys that are not being rotated out count. Locks the tenant,
 * so that two simultaneous creations cannot both take the last free place.
 */
export async function hasRoomForKey(tx: Transaction, tenantId: string, now: RealTime): Promise<boolean> {
  const [[tenant], active] = await Promise.all([tx.run(lockTenant, { tenantId }), countActiveKeys(tx, tenantId, now)]);
  return active < (tenant?.quota ?? STANDARD_QUOTAS.apiKeys);
}
