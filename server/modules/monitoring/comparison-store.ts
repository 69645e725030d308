/**
 * What every subscription must be compared with now, and SQL for the gap between that and its last comparison. Used by
 * catch-up.ts, dates.ts and the report of coverage. A gap that is missing here is neither reported nor repaired by a
 * run.
 */
import type { RealTime } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import { type Fragment, joined, sql, statement, type Transaction } from '../../database/index.ts';
import { ALGORITHM } from '../../screening/engine/screening-engine.ts';
import { ownList } from '../own-lists/index.ts';
import { linesFor } from '../screenings/index.ts';
import { requestRun, type Comparison, LIST_CHECKS, subscription } from '../subscriptions/index.ts';
import { readScreeningRules } from '../tenant-settings/index.ts';
import { activeVersions, isWatchList } from '../watch-lists/index.ts';
import { isReleased } from './algorithm-store.ts';
import { followedBy } from './followed-store.ts';

/** What every subscription must be compared with now, apart from the checks, which each subscription sets itself. */
interface Wanted extends Omit<Comparison, 'checks'> {
  /** Lists whose active version the tenant has not followed yet. */
  readonly behind: readonly string[];
  /** Whether the present algorithm is released for all runs (`algorithm.ts`). */
  readonly isReleased: boolean;
}

/** Returns the comparison that is wanted now. Applicants are people, so the lines for people apply. */
export async function wantedComparison(tx: Transaction, environment: Environment): Promise<Wanted> {
  const [
    {
      rules: { profile, defaultLists },
    },
    own,
    active,
    followed,
    released,
  ] = await Promise.all([
    readScreeningRules(tx, tx.tenantId!),
    ownList(tx, environment),
    activeVersions(tx, environment),
    followedBy(tx, environment),
    isReleased(tx, environment),
  ]);
  return {
    algorithm: ALGORITHM,
    lines: linesFor({ type: 'person' }, profile),
    lists: defaultLists.filter(isWatchList),
    ownList: own?.sequence ?? null,
    behind: active.filter(({ listId, sequence }) => followed?.[listId] !== sequence).map(({ listId }) => listId),
    isReleased: released,
  };
}

/**
 * Returns each kind of gap between the last comparison of a subscription and the wanted one, by its name: a
 * `ComparisonGap` of the contract.
 */
function conditions(
  s: Fragment,
  { algorithm, lines, lists, ownList: own, behind }: Wanted,
): Readonly<Record<string, Fragment>> {
  const lacksCheck = (check: string): Fragment =>
    sql`${check} = ANY (${s}.checks) AND NOT jsonb_exists(${s}.compared -> 'checks', ${check})`;
  return {
    run_waiting: sql`${s}.waiting_for IS NOT NULL`,
    run_failed: sql`${s}.last_result = 'failed'`,
    not_compared: sql`${s}.compared IS NULL AND ${s}.waiting_for IS NULL AND ${s}.last_result
      IS DISTINCT FROM 'failed'`,
    checks: sql`(${lacksCheck('sanctions')}) OR (${lacksCheck('pep')})`,
    lists: sql`NOT ${s}.compared -> 'lists' @> ${JSON.stringify(lists)}::jsonb`,
    list_versions: sql`jsonb_exists_any(${s}.compared -> 'lists', ${behind}::text[])`,
    own_list: sql`(${s}.compared ->> 'ownList')::integer IS DISTINCT FROM ${own}::integer
      AND ${s}.compared IS NOT NULL`,
    lines: sql`${s}.compared -> 'lines' <> ${JSON.stringify(lines)}::jsonb`,
    algorithm: sql`${s}.compared ->> 'algorithm' <> ${algorithm}`,
  };
}

/**
 * Returns the names of the gaps of a subscription. A waiting or failed run, and a subscription without a known
 * comparison, are gaps too, so a subscription without gaps is fully covered.
 */
export function gapsOf(s: Fragment, wanted: Wanted): Fragment {
  return sql`array_remove(ARRAY[${joined(
    Object.entries(conditions(s, wanted)).map(
      ([name, condition]) => sql`CASE WHEN ${condition} THEN ${name}::text END`,
    ),
    ', ',
  )}], NULL)`;
}

const findWatched = statement<{ tenantId: string; environment: Environment }>(
  'monitoring.anyWatched',
  (p) => sql`
  SELECT FROM monitoring_subscription
    WHERE ${subscription.equal({ tenantId: p.tenantId, environment: p.environment, status: 'active' })}
    AND checks && ${LIST_CHECKS} LIMIT 1`,
);

/**
 * Returns whether any subscription is active. Most tenants monitor nobody in one of their environments, so nothing else
 * has to be read there.
 */
async function isAnybodyWatched(tx: Transaction, environment: Environment): Promise<boolean> {
  return (await tx.count(findWatched, { tenantId: tx.tenantId!, environment })) > 0;
}

/**
 * Gaps that follow from a setting or a release and cause a run. Versions of lists are followed entry by entry, and a
 * waiting or failed run has its own schedule.
 */
const DUE = ['not_compared', 'checks', 'lists', 'own_list', 'lines'] as const;

/**
 * Queues runs of at most `limit` subscriptions whose last comparison differs from the wanted one. Returns their ids.
 */
export async function requestOutdatedRuns(
  tx: Transaction,
  environment: Environment,
  limit: number,
  now: RealTime,
): Promise<string[]> {
  if (!(await isAnybodyWatched(tx, environment))) return [];
  const wanted = await wantedComparison(tx, environment);
  const each = conditions(sql`s`, wanted);
  const due = [...DUE, ...(wanted.isReleased ? (['algorithm'] as const) : [])].map((name) => sql`(${each[name]!})`);
  const rows = await tx.query<{ id: string }>(sql`
    SELECT s.id FROM monitoring_subscription s WHERE ${subscription.as('s').equal({
      tenantId: tx.tenantId!,
      environment,
      status: 'active',
      waitingFor: null,
    })} AND s.checks && ${LIST_CHECKS}
      AND s.last_result IS DISTINCT FROM 'failed' AND (${joined(due, ' OR ')}) ORDER BY s.id LIMIT ${limit}`);
  const ids = rows.map(({ id }) => id);
  await requestRun(tx, ids, 'outdated', now);
  return ids;
}
