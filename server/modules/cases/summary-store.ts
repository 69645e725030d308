import type { BusinessTime } from '../../base/time.ts';
import { addMilliseconds, DAY_MILLISECONDS } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import { sql, statement, type Transaction } from '../../database/index.ts';
import { reviewCase } from './store.ts';

type Schemas = components['schemas'];
type Scope = { tenantId: string; environment: Environment; at: BusinessTime };

/** How many days of resolved cases the summary counts. */
export const SUMMARY_DAYS = 30;

/** Highest number of members and of queues that a summary lists. */
const LISTED = 100;

type Totals = Pick<
  Schemas['CaseSummary'],
  'openCount' | 'breachedCount' | 'unassignedCount' | 'medianAgeHours' | 'p95AgeHours' | 'byStatus' | 'byAssignee'
> & { readonly byQueue: Schemas['CaseQueueCount'][] };

/** Reads the unresolved cases of an environment once, and counts them in several ways. */
export const countOpen = statement<Scope, Totals>(
  'case.countOpen',
  (p) => sql`
  WITH unresolved AS MATERIALIZED (
    SELECT status, queue, assignee_id, sla_breached, created_at,
      extract(epoch FROM ${p.at}::timestamptz - created_at) / 3600 AS age FROM review_case
    WHERE ${reviewCase.equal({ tenantId: p.tenantId, environment: p.environment })} AND status <> 'resolved')
  SELECT count(*)::integer AS "openCount", (count(*) FILTER (WHERE sla_breached))::integer AS "breachedCount",
    (count(*) FILTER (WHERE assignee_id IS NULL))::integer AS "unassignedCount",
    round(greatest(percentile_cont(0.5) WITHIN GROUP (ORDER BY age), 0)::numeric, 1)::double precision
      AS "medianAgeHours",
    round(greatest(percentile_cont(0.95) WITHIN GROUP (ORDER BY age), 0)::numeric, 1)::double precision
      AS "p95AgeHours",
    (SELECT coalesce(jsonb_agg(jsonb_build_object('status', s.status, 'count', s.n) ORDER BY s.status), '[]')
      FROM (SELECT status, count(*) AS n FROM unresolved GROUP BY status) s) AS "byStatus",
    (SELECT coalesce(jsonb_agg(jsonb_build_object('queue', q.queue, 'count', q.n, 'breachedCount', q.breached,
        'unassignedCount', q.unassigned, 'oldestAt', to_char(q.oldest AT TIME ZONE 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), '[]')
      FROM (SELECT queue, count(*) AS n, count(*) FILTER (WHERE sla_breached) AS breached,
        count(*) FILTER (WHERE assignee_id IS NULL) AS unassigned, min(created_at) AS oldest
        FROM unresolved GROUP BY queue LIMIT ${LISTED}) q) AS "byQueue",
    (SELECT coalesce(jsonb_agg(jsonb_build_object('assigneeId', a.assignee_id, 'count', a.n,
        'breachedCount', a.breached) ORDER BY a.n DESC, a.assignee_id), '[]')
      FROM (SELECT assignee_id, count(*) AS n, count(*) FILTER (WHERE sla_breached) AS breached FROM unresolved
        WHERE assignee_id IS NOT NULL GROUP BY assignee_id ORDER BY n DESC, assignee_id LIMIT ${LISTED}) a)
      AS "byAssignee"
  FROM unresolved`,
);

/** Counts the cases that were resolved in the last days. */
export const countResolved = statement<Scope & { since: BusinessTime }, Omit<Schemas['ResolvedCaseCount'], 'days'>>(
  'case.countResolved',
  (p) => sql`
  SELECT count(*)::integer AS count, (count(*) FILTER (WHERE sla_breached))::integer AS "breachedCount",
    round(greatest(percentile_cont(0.5) WITHIN GROUP (ORDER BY hours), 0)::numeric, 1)::double precision
      AS "medianHours",
    round(greatest(percentile_cont(0.95) WITHIN GROUP (ORDER BY hours), 0)::numeric, 1)::double precision AS "p95Hours"
  FROM (
    SELECT sla_breached, extract(epoch FROM resolved_at - created_at) / 3600 AS hours FROM review_case
    WHERE ${reviewCase.equal({
      tenantId: p.tenantId,
      environment: p.environment,
      status: 'resolved',
    })} AND resolved_at > ${p.since} AND resolved_at <= ${p.at}) resolved`,
);

/** Summarises the cases of an environment. Reads the unresolved ones, and those that were resolved in 30 days. */
export async function caseSummary(
  tx: Transaction,
  environment: Environment,
  at: BusinessTime,
  queues: readonly string[],
): Promise<Schemas['CaseSummary']> {
  const of = { tenantId: tx.tenantId!, environment, at };
  const since = addMilliseconds(at, -SUMMARY_DAYS * DAY_MILLISECONDS);
  const [[open], [resolved]] = await Promise.all([tx.run(countOpen, of), tx.run(countResolved, { ...of, since })]);
  const position = (queue: string): number => (queues.includes(queue) ? queues.indexOf(queue) : queues.length);
  return {
    environment,
    asOf: at.toISOString(),
    ...open!,
    byQueue: open!.byQueue.toSorted((a, b) => position(a.queue) - position(b.queue) || (a.queue < b.queue ? -1 : 1)),
    resolved: { days: SUMMARY_DAYS, ...resolved! },
  };
}
