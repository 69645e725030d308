/**
 * Statements about the state of a tenant's audit chain and of the periodic jobs. Used by usage.ts, which shows them to
 * staff of the platform. A tenant without a chain is an error of the service.
 */
import type { RealTime } from '../../base/time.ts';
import { sql, statement, type Transaction } from '../../database/index.ts';

interface ChainHead {
  readonly sequence: number;
  readonly hash: Buffer;
  /** Events that a signed checkpoint covers. */
  readonly checkpointed: number;
}

interface JobSuccess {
  readonly name: string;
  readonly at: string;
  /** Delay of the job in seconds. */
  readonly lag: number;
}

const chainHead = statement<{ tenantId: string }, ChainHead>(
  'tenant.chain',
  (p) => sql`
  SELECT h.sequence, h.hash, coalesce((SELECT max(c.tree_size) FROM audit_checkpoint c
    WHERE c.tenant_id = h.tenant_id), 0) AS checkpointed
  FROM audit_head h WHERE h.tenant_id = ${p.tenantId}`,
);

const jobs = statement<{ now: RealTime }, JobSuccess>(
  'tenant.jobs',
  (p) => sql`
  SELECT name, at, greatest(0, floor(extract(epoch FROM ${p.now}::timestamptz - at) - every_seconds))::bigint AS lag
  FROM job_success ORDER BY name LIMIT 50`,
);

/** Returns the newest event of the tenant's audit chain. */
export async function chainHeadOf(tx: Transaction, tenantId: string): Promise<ChainHead> {
  const [head] = await tx.run(chainHead, { tenantId });
  if (head === undefined) throw new Error('a tenant has no audit chain');
  return head;
}

/** Returns when each periodic job of the service last succeeded. */
export async function jobSuccesses(tx: Transaction, now: RealTime): Promise<JobSuccess[]> {
  return tx.run(jobs, { now });
}
