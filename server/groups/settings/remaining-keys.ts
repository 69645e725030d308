import { knex, sql, STANDARD_QUOTAS, statement, type Transaction } from '../../database/index.ts';
import type { ApiKeyRecord } from './api-key.ts';

const lockTenant = statement<{ tenantId: string }, { quota: number | null }>('apiKey.lockTenant', (p) =>
  knex('tenant').select(sql`(quotas->>'apiKeys')::integer AS quota`).where({ id: p.tenantId }).forNoKeyUpdate());

const countActive = statement<{ tenantId: string; now: Date }, { count: number }>('apiKey.countActive', (p) =>
  knex('api_key').where({ tenant_id: p.tenantId, status: 'active' })
    .where(sql`(ends_at IS NULL OR ends_at > ${p.now})`).count('* as count'));

const otherAdmin = statement<{ tenantId: string; id: string; environments: readonly string[]; now: Date }, { found: boolean }>('apiKey.otherAdmin', (p) =>
  knex('api_key').select(sql`true AS found`).where({ tenant_id: p.tenantId }).where(sql`id <> ${p.id}`).whereNot('status', 'revoked')
    .where(sql`'admin' = ANY (scopes) AND environment = ANY (${p.environments}) AND (ends_at IS NULL OR ends_at > ${p.now})`).limit(1));

/**
 * Whether the tenant may have another key. Those that work and are not on their way out count; under a lock, so that two
 * creations cannot both be the last one.
 */
export async function hasRoomForKey(tx: Transaction, tenantId: string, now: Date): Promise<boolean> {
  const [[tenant], [active]] = await Promise.all([tx.run(lockTenant, { tenantId }), tx.run(countActive, { tenantId, now })]);
  return (active?.count ?? 0) < (tenant?.quota ?? STANDARD_QUOTAS.apiKeys);
}

/** Whether a key remains that can administer what this one could: test keys see no live ones. */
export async function hasOtherAdminKey(tx: Transaction, tenantId: string, { id, environment }: ApiKeyRecord, now: Date): Promise<boolean> {
  const environments = environment === 'live' ? ['live'] : ['live', 'test'];
  return (await tx.run(otherAdmin, { tenantId, id, environments, now })).length > 0;
}
