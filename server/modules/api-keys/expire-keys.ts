/**
 * Periodic job that records in the audit log that keys have ended. Registered by the index of the module and run by the
 * layer tasks. Works in batches and stops when the process shuts down; the rest follows in the next run. It does not
 * end keys: verification compares the expiry itself.
 */
import { appendAudit } from '../../audit/chain.ts';
import { DAY_MILLISECONDS, MINUTE_SECONDS, type RealTime } from '../../base/time.ts';
import type { Database } from '../../database/index.ts';
import type { Job } from '../../tasks/job.ts';
import { forEachTenant } from '../../tasks/store.ts';
import { deleteKeyUsage, recordKeyEnds } from './expire-store.ts';

const AT_ONCE = 200;
const ACTOR = {
  type: 'system',
  id: 'keys.expire',
  display: 'Expiry of keys',
  impersonatorId: null,
} as const;

/**
 * Records in the audit log, once for each key, that keys have ended, and deletes usage counters that are too old for
 * the statistics of the last day. A key stops working at its expiry without this job.
 */
export async function expireKeys(
  database: Database,
  tenantId: string,
  now: RealTime,
  signal: AbortSignal,
): Promise<number> {
  await database.transaction({ tenantId }, (tx) =>
    deleteKeyUsage(tx, tenantId, new Date(now.getTime() - 2 * DAY_MILLISECONDS)),
  );
  let sum = 0;
  let count = AT_ONCE;
  while (count === AT_ONCE && !signal.aborted) {
    count = await recordSome(database, tenantId, now);
    sum += count;
  }
  return sum;
}

function recordSome(database: Database, tenantId: string, now: RealTime): Promise<number> {
  return database.transaction({ tenantId }, async (tx) => {
    const ended = await recordKeyEnds(tx, tenantId, now, AT_ONCE);
    for (const { prefix, environment, endedAt, rotated } of ended) {
      appendAudit(tx, {
        occurredAt: now.toISOString(),
        environment: environment === 'test' ? 'sandbox' : 'live',
        actor: ACTOR,
        action: 'api_key.expired',
        resource: { type: 'api_key', id: prefix },
        outcome: 'success',
        changes: [
          { op: 'add', path: '/endedAt', value: endedAt },
          { op: 'add', path: '/rotated', value: rotated },
        ],
      });
    }
    return ended.length;
  });
}

export const expireKeysJob: Job = {
  name: 'keys.expire',
  everySeconds: 5 * MINUTE_SECONDS,
  run: ({ services: { database, clock }, signal }) =>
    forEachTenant(database, signal, ({ id }) => expireKeys(database, id, clock(), signal)),
};
