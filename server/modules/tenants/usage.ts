import type { components } from '../../contract/generated/types.ts';
import { knex, sql, statement, type Transaction, withinTenant } from '../../database/index.ts';
import { liveUsage } from '../applications/quotas.ts';
import { countSeatsTaken } from '../members/index.ts';
import type { Usage } from './tenant.ts';

const countKeys = statement<{ tenantId: string; now: Date }, { count: number }>('tenant.countKeys', (p) =>
  knex('api_key').where({ tenant_id: p.tenantId, status: 'active' }).where(sql`(expires_at IS NULL OR expires_at > ${p.now})`).count('* as count'));

/** What a tenant uses now, counted as its quotas are. Platform work, from whichever tenant. */
export async function usageOf(tx: Transaction, tenantId: string, now: Date): Promise<Usage> {
  const within = withinTenant(tx, tenantId);
  const [users, live, keys] = await Promise.all([
    countSeatsTaken(within, tenantId, null, now), liveUsage(within, tenantId, now), within.run(countKeys, { tenantId, now }),
  ]);
  return { users, ...live, apiKeys: keys[0]?.count ?? 0 };
}

const chain = statement<{ tenantId: string }, { sequence: number; hash: Buffer; checkpointed: number }>('tenant.chain', (p) => sql`
  SELECT h.sequence, h.hash, coalesce((SELECT max(c.tree_size) FROM audit_checkpoint c WHERE c.tenant_id = h.tenant_id), 0) AS checkpointed
  FROM audit_head h WHERE h.tenant_id = ${p.tenantId}`);

const jobs = statement<{ now: Date }, { name: string; at: string; lag: number }>('tenant.jobs', (p) => sql`
  SELECT name, at, greatest(0, floor(extract(epoch FROM ${p.now}::timestamptz - at) - every_seconds))::bigint AS lag
  FROM job_success ORDER BY name LIMIT 50`);

/** The end of a tenant's audit chain, and how late the periodic work of the service is. */
export async function healthOf(tx: Transaction, tenantId: string, now: Date): Promise<components['schemas']['TenantHealth']> {
  const [[head], rounds] = await Promise.all([withinTenant(tx, tenantId).run(chain, { tenantId }), tx.run(jobs, { now })]);
  if (head === undefined) throw new Error('a tenant has no audit chain');
  return {
    auditChain: { sequence: head.sequence, hash: head.hash.toString('hex'), checkpointedSequence: head.checkpointed },
    jobs: rounds.map(({ name, at, lag }) => ({ name, lastSuccessAt: at, lagSeconds: lag })),
  };
}
