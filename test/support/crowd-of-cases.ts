/**
 * Many cases of a tenant, written straight to the database, and how many rows a statement about them reads. Used by the
 * test and by the benchmark of the summary and the work view.
 */
import type { Values } from '../../server/database/index.ts';
import type { Statement } from '../../server/database/statement.ts';
import { countOpen, countResolved, SUMMARY_DAYS } from '../../server/modules/cases/summary-store.ts';
import { listOwnCases, listResolutionsToReview } from '../../server/modules/cases/work-store.ts';
import type { BusinessTime } from '../../server/base/time.ts';
import { knex } from '../../server/database/index.ts';
import type { TestDatabase } from './postgres.ts';

/** Numbers of cases: unresolved ones, and those that were resolved within the last 30 days and before. */
export interface Crowd {
  readonly open: number;
  readonly recent: number;
  readonly old: number;
}

/** Highest number of cases that one statement inserts. */
const AT_ONCE = 100_000;

/** Inserts cases about one application each; every second open case is assigned to the member. */
export async function insertCases(
  database: Pick<TestDatabase, 'sql'>,
  { tenantId, userId }: { readonly tenantId: string; readonly userId: string },
  { open, recent, old }: Crowd,
): Promise<void> {
  const count = open + recent + old;
  for (let first = 1; first <= count; first += AT_ONCE)
    await database.sql(
      `WITH numbered AS (
        SELECT n, gen_random_uuid() AS id, now() - n * interval '1 second' AS at,
          CASE WHEN n <= $3 THEN NULL WHEN n <= $3 + $4 THEN now() - (1 + n % ($8 - 1)) * interval '1 day'
            ELSE now() - ($8 + 1 + n % 1000) * interval '1 day' END AS resolved
        FROM generate_series($6::integer, $7::integer) n
      ), of AS (
        INSERT INTO application (tenant_id, id, environment, status, level, purpose, channel, full_name, tax_id_mac,
          applicant, created_by, created_at, updated_at)
        SELECT $1, id, 'live', 'draft', 'basic', 'other', 'api', 'N', sha256(n::text::bytea), '{}', '{}', at, at
        FROM numbered)
      INSERT INTO review_case (tenant_id, id, environment, number, type, status, queue, assignee_id, application_id,
        links, tags, checklist, related_case_ids, opened_reason, clock_started_at, sla_hours, due_at, resolved_at,
        created_at, created_by, updated_at)
      SELECT $1, id, 'live', 'C-' || n, 'ad_hoc',
        CASE WHEN resolved IS NOT NULL THEN 'resolved' WHEN n % 2 = 0 THEN 'in_progress' ELSE 'open' END,
        'normal', CASE WHEN resolved IS NOT NULL OR n % 2 = 0 THEN $2::uuid END, id,
        '[]', '{}', '[]', '{}', 'manual', at, 72, at + interval '3 days', resolved,
        coalesce(resolved, at) - interval '1 hour', '{}', at
      FROM numbered WHERE n <= $3 + $4 + $5`,
      [tenantId, userId, open, recent, old, first, Math.min(first + AT_ONCE - 1, count), SUMMARY_DAYS],
    );
  await database.sql('ANALYZE application, review_case');
}

interface Plan {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Relation Name'?: string;
  readonly 'Plans'?: readonly Plan[];
}

/** Sums the rows of cases that the scans of a plan read, those that a condition removes included. */
function rowsOf(plan: Plan): number {
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Index Recheck': rechecked = 0 } = plan;
  const own =
    plan['Relation Name'] === 'review_case' ? (plan['Actual Rows'] + filtered + rechecked) * plan['Actual Loops'] : 0;
  return (plan.Plans ?? []).reduce((total, inner) => total + rowsOf(inner), own);
}

/** Rows and milliseconds of the statements of the summary and of the work view. */
export interface Reading {
  readonly rows: number;
  readonly milliseconds: number;
}

/** Runs the statements of the summary and of a page of the work view, and returns how many rows of cases each reads. */
export async function readingsOf(
  { database }: Pick<TestDatabase, 'database'>,
  { tenantId, userId }: { readonly tenantId: string; readonly userId: string },
): Promise<Record<'open' | 'resolved' | 'own' | 'toReview', Reading>> {
  const at = new Date() as BusinessTime;
  const since = new Date(at.getTime() - SUMMARY_DAYS * 86_400_000) as BusinessTime;
  const scope = { tenantId, environment: 'live' as const };
  const page = {
    ...scope,
    userId,
    afterDue: '-infinity',
    afterId: '00000000-0000-0000-0000-000000000000',
    count: 26,
  };
  return database.transaction({ tenantId }, async (tx) => {
    const read = async <V extends Values, R>(one: Statement<V, R>, values: V): Promise<Reading> => {
      const [row] = await tx.query<{ 'QUERY PLAN': readonly [{ 'Plan': Plan; 'Execution Time': number }] }>(
        knex.raw(`EXPLAIN (ANALYZE, FORMAT JSON) ${one.text.replaceAll(/\$\d+/g, '?')}`, one.bind(values) as string[]),
      );
      const [{ Plan: plan, 'Execution Time': milliseconds }] = row!['QUERY PLAN'];
      return { rows: rowsOf(plan), milliseconds };
    };
    return {
      open: await read(countOpen, { ...scope, at }),
      resolved: await read(countResolved, { ...scope, at, since }),
      own: await read(listOwnCases, page),
      toReview: await read(listResolutionsToReview, page),
    };
  });
}
