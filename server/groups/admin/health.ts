import type { components } from '../../contract/generated/types.ts';
import { sql, statement, withinTenant, type Transaction } from '../../database/index.ts';

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
