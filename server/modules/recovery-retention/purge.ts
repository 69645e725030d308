/**
 * Deletes what is older than its retention, in batches. Called by the jobs of this module. Raises the floor of a feed
 * before it deletes, so that no reader asks for a deleted event; must not delete what an active consumer has not
 * acknowledged yet, except beyond the upper limit.
 */
import { addMilliseconds, businessTime, DAY_MILLISECONDS, type RealTime } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Database } from '../../database/index.ts';
import type { ScheduledTenant } from '../../identity/store.ts';
import { lockRecordWriters } from '../recoveries/index.ts';
import { lockHead, purgeBatch, retentionDays } from '../recovery-feed/index.ts';
import { raiseFloor, removeEvents, removePages, removeRecords, removeRecoveries } from './store.ts';

/**
 * Deletes the expired events of a tenant, and each ended recovery with its last event. Returns the number of events.
 * Uses real time in the sandbox, too, because a jump of its clock must not delete a tester's events. No reader can
 * request events below the floor, so the floor is raised, and committed, before anything is deleted.
 */
export async function purgeFeed(database: Database, tenantId: string, signal: AbortSignal): Promise<number> {
  let sum = 0;
  for (const environment of ['live', 'sandbox'] as const) {
    for (let isMore = true; isMore && !signal.aborted; ) {
      const isRaised = await raiseFeedFloor(database, tenantId, environment);
      const removed = await removeBelowFloor(database, tenantId, environment);
      sum += removed;
      isMore = isRaised || removed === purgeBatch;
    }
  }
  return sum;
}

/** Raises the floor with the head locked, as publishers do. */
function raiseFeedFloor(database: Database, tenantId: string, environment: Environment): Promise<boolean> {
  return database.transaction({ tenantId }, async (tx) => {
    await tx.run(lockHead, { tenantId, environment });
    return (await tx.run(raiseFloor, { tenantId, environment })).length > 0;
  });
}

/**
 * Deletes with the same locks as a publication, so that no recovery gets an event while the transaction decides that it
 * has none left.
 */
function removeBelowFloor(database: Database, tenantId: string, environment: Environment): Promise<number> {
  return database.transaction({ tenantId }, async (tx) => {
    await lockRecordWriters(tx, environment);
    await tx.run(lockHead, { tenantId, environment });
    const affected = await tx.run(removeEvents, { tenantId, environment });
    if (affected.length === 0) return 0;
    const ids = JSON.stringify(affected.map(({ id }) => id));
    await Promise.all([
      tx.run(removeRecords, { tenantId, environment, ids }),
      tx.run(removeRecoveries, { tenantId, environment, ids }),
    ]);
    return affected.reduce((sum, { events }) => sum + events, 0);
  });
}

/**
 * Deletes the directory's pages that are no evidence for any stored data, and returns how many. Pages have timestamps
 * by the clock of their environment.
 */
export async function purgeInbox(
  database: Database,
  { id: tenantId, sandboxAheadMilliseconds }: ScheduledTenant,
  now: RealTime,
  signal: AbortSignal,
): Promise<number> {
  const before = {
    live: addMilliseconds(businessTime(now, 0), -retentionDays.kept * DAY_MILLISECONDS),
    sandbox: addMilliseconds(
      businessTime(now, sandboxAheadMilliseconds),
      -retentionDays.sandboxPages * DAY_MILLISECONDS,
    ),
  };
  let sum = 0;
  for (const environment of ['live', 'sandbox'] as const) {
    for (let removed = purgeBatch; removed >= purgeBatch && !signal.aborted; ) {
      removed = await database.transaction({ tenantId }, (tx) =>
        tx.count(removePages, { tenantId, environment, before: before[environment] }),
      );
      sum += removed;
    }
  }
  return sum;
}
