/**
 * Statements that queue runs, find due ones and end them. Used, through the index, by monitoring. A subscription waits
 * for one run at a time, so queueing twice has no effect.
 */
import type { BusinessTime, RealTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import { sql, statement, type Transaction } from '../../database/index.ts';
import { enqueueTask } from '../../tasks/task.ts';
import type { Comparison } from './comparison.ts';
import { own, RESCREEN, RUN_CHECKS, type Subscription, subscription, type Waiting } from './store.ts';

type Schemas = components['schemas'];
type Key = { tenantId: string; id: string };

/** Queues a run for each active subscription that has none. Blocks on a run in progress. */
const queueRun = statement<{ tenantId: string; ids: readonly string[]; why: Waiting }, { id: string }>(
  'subscription.requestRun',
  (p) => sql`
  UPDATE monitoring_subscription SET ${subscription.assign({ waitingFor: p.why })}
  WHERE ${subscription.equal({ tenantId: p.tenantId, status: 'active', waitingFor: null })}
    AND checks && ${RUN_CHECKS} AND id = ANY (${p.ids}::uuid[]) RETURNING id`,
);

const hurry = statement<Key>(
  'subscription.hurry',
  (p) => sql`
  UPDATE monitoring_subscription SET ${subscription.assign({ waitingFor: 'requested' })}
    WHERE ${subscription.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const finish = statement<
  Key & {
    at: BusinessTime;
    result: Schemas['RunResult'];
    nextRunAt: BusinessTime | null;
    compared: Comparison | null;
  }
>(
  'subscription.endRun',
  (p) => sql`
  UPDATE monitoring_subscription SET ${subscription.assign({
    waitingFor: null,
    lastRunAt: p.at,
    lastResult: p.result,
    nextRunAt: p.nextRunAt,
    compared: p.compared,
  })} WHERE ${subscription.equal({ tenantId: p.tenantId, id: p.id })}`,
);

/** Batch size. */
export const DUE_AT_ONCE = 100;

/** Subscriptions whose next run or end of pause is due. */
const takeDue = statement<{ tenantId: string; environment: Environment; at: BusinessTime }, Subscription>(
  'subscription.takeDue',
  (p) => sql`
  SELECT ${own} FROM monitoring_subscription
  WHERE ${subscription.equal({ tenantId: p.tenantId, environment: p.environment })}
    AND ((status = 'active' AND waiting_for IS NULL AND checks && ${RUN_CHECKS} AND next_run_at <= ${p.at})
    OR (status = 'paused' AND pause_until <= ${p.at}))
  ORDER BY id LIMIT ${DUE_AT_ONCE} FOR UPDATE SKIP LOCKED`,
);

/**
 * Queues runs in the background: requested ones individually, all others in bulk. Returns how many, without those that
 * wait already or are not active.
 */
export async function requestRun(
  tx: Transaction,
  ids: readonly string[],
  why: Waiting,
  now: RealTime,
): Promise<number> {
  const asked = await tx.run(queueRun, { tenantId: tx.tenantId!, ids, why });
  for (const { id } of asked) enqueueTask(tx, { ...RESCREEN, isBulk: why !== 'requested' }, id, now);
  return asked.length;
}

/** Runs a waiting bulk run at once. The subscription must be locked. The original task then finds nothing to do. */
export function hurryRun(tx: Transaction, id: string, now: RealTime): void {
  void tx.run(hurry, { tenantId: tx.tenantId!, id });
  enqueueTask(tx, RESCREEN, id, now);
}

export function dueSubscriptions(tx: Transaction, environment: Environment, at: BusinessTime): Promise<Subscription[]> {
  return tx.run(takeDue, { tenantId: tx.tenantId!, environment, at });
}

/** Ends a run, whatever its result. The subscription must be locked. */
export function endRun(
  tx: Transaction,
  id: string,
  given: {
    readonly at: BusinessTime;
    readonly result: Schemas['RunResult'];
    readonly nextRunAt: BusinessTime | null;
    readonly compared: Comparison | null;
  },
): void {
  void tx.run(finish, { ...given, tenantId: tx.tenantId!, id });
}
