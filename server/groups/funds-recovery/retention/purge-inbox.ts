import type { Database, TenantInTurn } from '../../../database/index.ts';
import { removePages } from './store.ts';
import { batch, terms } from './terms.ts';

const day = 24 * 60 * 60_000;

/** Deletes the directory's pages that are no evidence of anything that is still kept; how many. Pages carry the clock of their environment. */
export async function purgeInbox(database: Database, { id: tenantId, sandboxAheadMilliseconds }: TenantInTurn, now: Date, signal: AbortSignal): Promise<number> {
  const before = {
    live: new Date(now.getTime() - terms.kept * day),
    sandbox: new Date(now.getTime() + sandboxAheadMilliseconds - terms.sandboxPages * day),
  };
  let sum = 0;
  for (const env of ['live', 'sandbox'] as const) {
    for (let removed = batch; removed >= batch && !signal.aborted;) {
      removed = await database.transaction({ tenantId }, (tx) => tx.count(removePages, { tenantId, env, before: before[env] }));
      sum += removed;
    }
  }
  return sum;
}
