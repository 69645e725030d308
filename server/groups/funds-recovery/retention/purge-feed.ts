import type { Environment } from '../../../contract/principal.ts';
import type { Database } from '../../../database/index.ts';
import { lockRecordWriters } from '../ingestion/store/records.ts';
import { lockHead } from '../publish.ts';
import { raiseFloor, removeEvents, removeRecords, removeRecoveries } from './store.ts';
import { batch } from './terms.ts';

/**
 * Deletes the events of a tenant whose time is over, and with its last event an ended recovery; how many events. By real
 * time in the sandbox, too: a jump of its clock shall not take a tester's events away. What is below the floor nobody can
 * ask for any more, so the floor is raised, and committed, before anything goes.
 */
export async function purgeFeed(database: Database, tenantId: string, signal: AbortSignal): Promise<number> {
  let sum = 0;
  for (const env of ['live', 'sandbox'] as const) {
    for (let isMore = true; isMore && !signal.aborted;) {
      const isRaised = await raise(database, tenantId, env);
      const removed = await removeBelowFloor(database, tenantId, env);
      sum += removed;
      isMore = isRaised || removed === batch;
    }
  }
  return sum;
}

/** With the head locked, as publishers do. */
function raise(database: Database, tenantId: string, env: Environment): Promise<boolean> {
  return database.transaction({ tenantId }, async (tx) => {
    await tx.run(lockHead, { tenantId, env });
    return (await tx.run(raiseFloor, { tenantId, env })).length > 0;
  });
}

/** Locked like a publication, so that no recovery gets an event while it is decided that it has none left. */
function removeBelowFloor(database: Database, tenantId: string, env: Environment): Promise<number> {
  return database.transaction({ tenantId }, async (tx) => {
    await lockRecordWriters(tx, env);
    await tx.run(lockHead, { tenantId, env });
    const touched = await tx.run(removeEvents, { tenantId, env });
    if (touched.length === 0) return 0;
    const ids = JSON.stringify(touched.map(({ id }) => id));
    await Promise.all([tx.run(removeRecords, { tenantId, env, ids }), tx.run(removeRecoveries, { tenantId, env, ids })]);
    return touched.reduce((sum, { events }) => sum + events, 0);
  });
}
