/**
 * Checks that feeds have no holes, and samples how far behind their readers are. Called by the periodic jobs of this
 * module. A hole means that events were lost, and is reported to the alarm; nothing is repaired here.
 */
import { businessTime, type RealTime } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Database } from '../../database/index.ts';
import type { ScheduledTenant } from '../../identity/store.ts';
import type { FeedAlarm, FeedSample } from './feed-alarm.ts';
import { inspectWindow, sampleFeed } from './health-store.ts';

/**
 * Checks that the sequences of a tenant's feeds have no holes, which readers rely on: in the window at the end of each
 * feed, and in one at a random position, which differs from call to call. Returns how many feeds have a gap.
 */
export async function checkFeed(
  database: Database,
  tenantId: string,
  alarm: FeedAlarm,
  somewhere = Math.random(),
): Promise<number> {
  let gaps = 0;
  for (const environment of ['live', 'sandbox'] as const) {
    for (const at of [1, somewhere]) {
      const [window] = await database.transaction({ tenantId, readOnly: true }, (tx) =>
        tx.run(inspectWindow, { tenantId, environment, at }),
      );
      if (window === undefined || window.found === window.expected) continue;
      alarm.reportGap(tenantId, environment, window);
      gaps += 1;
      break;
    }
  }
  return gaps;
}

const emptySample: FeedSample = { oldestUnacknowledgedSeconds: 0, deadlinesSoon: 0 };

/**
 * Samples the feeds of all tenants and records the worst values. Changes nothing, so as a job it reports no work done.
 */
export async function sampleFeeds(
  database: Database,
  alarm: FeedAlarm,
  now: RealTime,
  forEachTenant: (work: (tenant: ScheduledTenant) => Promise<number>) => Promise<number>,
): Promise<number> {
  const worst: Record<Environment, FeedSample> = { live: emptySample, sandbox: emptySample };
  const done = await forEachTenant(async ({ id: tenantId, sandboxAheadMilliseconds }) => {
    const times = { live: businessTime(now, 0), sandbox: businessTime(now, sandboxAheadMilliseconds) };
    await database.transaction({ tenantId, readOnly: true }, (tx) =>
      Promise.all(
        (['live', 'sandbox'] as const).map(async (environment) => {
          const [sample = emptySample] = await tx.run(sampleFeed, {
            tenantId,
            environment,
            businessTime: times[environment],
          });
          worst[environment] = worstOf(worst[environment], sample);
        }),
      ),
    );
    return 0;
  });
  for (const environment of ['live', 'sandbox'] as const) alarm.recordSample(environment, worst[environment]);
  return done;
}

function worstOf(one: FeedSample, other: FeedSample): FeedSample {
  return {
    oldestUnacknowledgedSeconds: Math.max(one.oldestUnacknowledgedSeconds, other.oldestUnacknowledgedSeconds),
    deadlinesSoon: one.deadlinesSoon + other.deadlinesSoon,
  };
}
