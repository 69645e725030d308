/**
 * This file counts what a tenant uses of its quotas, and reports the health of its audit chain and of the periodic
 * jobs. Used by handlers.ts and change-tenants.ts.
 */
import type { RealTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import { type Transaction, withinTenant } from '../../database/index.ts';
import { countActiveKeys } from '../api-keys/index.ts';
import { liveUsage } from '../applications/index.ts';
import { countSeatsTaken } from '../members/index.ts';
import { chainHeadOf, jobSuccesses } from './health-store.ts';
import type { Usage } from './tenant.ts';

/** Counts the current usage of a tenant in the units of its quotas. The transaction must have the platform's role. */
export async function usageOf(tx: Transaction, tenantId: string, now: RealTime): Promise<Usage> {
  const within = withinTenant(tx, tenantId);
  const [users, live, apiKeys] = await Promise.all([
    countSeatsTaken(within, tenantId, null, now),
    liveUsage(within, tenantId, now),
    countActiveKeys(within, tenantId, now),
  ]);
  return { users, ...live, apiKeys };
}

/** Reads the end of a tenant's audit chain and the delay of each periodic job. */
export async function healthOf(
  tx: Transaction,
  tenantId: string,
  now: RealTime,
): Promise<components['schemas']['TenantHealth']> {
  const [head, rounds] = await Promise.all([chainHeadOf(withinTenant(tx, tenantId), tenantId), jobSuccesses(tx, now)]);
  return {
    auditChain: { sequence: head.sequence, hash: head.hash.toString('hex'), checkpointedSequence: head.checkpointed },
    jobs: rounds.map(({ name, at, lag }) => ({ name, lastSuccessAt: at, lagSeconds: lag })),
  };
}
