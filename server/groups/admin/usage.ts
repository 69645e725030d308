import { knex, sql, statement, withinTenant, type Transaction } from '../../database/index.ts';
import { liveUsage } from '../applications/index.ts';
import { countSeatsTaken } from '../users/index.ts';
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
