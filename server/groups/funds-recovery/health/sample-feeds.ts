import type { Environment } from '../../../contract/principal.ts';
import type { Database, TenantInTurn } from '../../../database/index.ts';
import type { FeedAlarm, FeedSample } from './feed-alarm.ts';
import { sampleFeed } from './store.ts';

const nothing: FeedSample = { oldestUnacknowledgedSeconds: 0, deadlinesSoon: 0 };

/** Looks at the feeds of all tenants and tells the worst of them. Changes nothing, so what it has done is always none. */
export async function sampleFeeds(
  database: Database, alarm: FeedAlarm, now: Date, forEachTenant: (work: (tenant: TenantInTurn) => Promise<number>) => Promise<number>,
): Promise<number> {
  const together: Record<Environment, FeedSample> = { live: nothing, sandbox: nothing };
  const done = await forEachTenant(async ({ id: tenantId, sandboxAheadMilliseconds }) => {
    const times = { live: now, sandbox: new Date(now.getTime() + sandboxAheadMilliseconds) };
    await database.transaction({ tenantId, readOnly: true }, (tx) => Promise.all((['live', 'sandbox'] as const).map(async (env) => {
      const [sample = nothing] = await tx.run(sampleFeed, { tenantId, env, businessTime: times[env] });
      together[env] = worse(together[env], sample);
    })));
    return 0;
  });
  for (const env of ['live', 'sandbox'] as const) alarm.sampled(env, together[env]);
  return done;
}

function worse(one: FeedSample, other: FeedSample): FeedSample {
  return {
    oldestUnacknowledgedSeconds: Math.max(one.oldestUnacknowledgedSeconds, other.oldestUnacknowledgedSeconds),
    deadlinesSoon: one.deadlinesSoon + other.deadlinesSoon,
  };
}
