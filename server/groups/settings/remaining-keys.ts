import { STANDARD_QUOTAS, statement, type Transaction } from '../../database/index.ts';
import type { ApiKeyRecord } from './api-key.ts';

const lockTenant = statement<{ tenantId: string }, { quota: number | null }>('apiKey.lockTenant', (knex, p) =>
  knex('tenant').select(knex.raw(`(quotas->>'apiKeys')::integer AS quota`)).where({ id: p.tenantId }).forNoKeyUpdate());

const countActive = statement<{ tenantId: string; now: Date }, { count: number }>('apiKey.countActive', (knex, p) =>
  knex('api_key').where({ tenant_id: p.tenantId, status: 'active' })
    .where(knex.raw('(ends_at IS NULL OR ends_at > ?)', [p.now])).count('* as count'));

const otherAdmin = statement<{ tenantId: string; id: string; environments: readonly string[]; now: Date }, { found: boolean }>('apiKey.otherAdmin', (knex, p) =>
  knex('api_key').select(knex.raw('true AS found')).where({ tenant_id: p.tenantId }).whereNot('id', p.id as never).whereNot('status', 'revoked')
    .where(knex.raw(`'admin' = ANY (scopes) AND environment = ANY (?) AND (ends_at IS NULL OR ends_at > ?)`, [p.environments as never, p.now])).limit(1));

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
