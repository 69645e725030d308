import type { components } from '../../contract/generated/types.ts';
import { type Transaction, withinTenant } from '../../database/index.ts';
import { countActiveKeys } from '../api-keys/index.ts';
import { liveUsage } from '../applications/index.ts';
import { countSeatsTaken } from '../members/index.ts';
import { chainHeadOf, jobSuccesses } from './store.ts';
import type { Usage } from './tenant.ts';

/** What a tenant uses now, counted as its quotas are. Platform work, from whichever tenant. */
export async function usageOf(tx: Transaction, tenantId: string, now: Date): Promise<Usage> {
  const within = withinTenant(tx, tenantId);
  const [users, live, apiKeys] = await Promise.all([
    countSeatsTaken(within, tenantId, null, now), liveUsage(within, tenantId, now), countActiveKeys(within, tenantId, now),
  ]);
  return { users, ...live, apiKeys };
}

/** The end of a tenant's audit chain, and how late the periodic work of the service is. */
export async function healthOf(tx: Transaction, tenantId: string, now: Date): Promise<components['schemas']['TenantHealth']> {
  const [head, rounds] = await Promise.all([chainHeadOf(withinTenant(tx, tenantId), tenantId), jobSuccesses(tx, now)]);
  return {
    auditChain: { sequence: head.sequence, hash: head.hash.toString('hex'), checkpointedSequence: head.checkpointed },
    jobs: rounds.map(({ name, at, lag }) => ({ name, lastSuccessAt: at, lagSeconds: lag })),
  };
}
