/**
 * Statements that report who is monitored, who is not, and whose comparison is incomplete. Used by the handler of the
 * coverage and by the alarm. It is the proof for an auditor, so a customer who is missing here goes unnoticed.
 */
import type { BusinessTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import { type Fragment, knex, sql, statement, type Transaction } from '../../database/index.ts';
import { application, isCustomer } from '../applications/index.ts';
import { business, isCustomerBusiness } from '../businesses/index.ts';
import { alert, LIST_CHECKS, subscription } from '../subscriptions/index.ts';
import { gapsOf, wantedComparison } from './comparison-store.ts';
import { isOverdue } from './list-store.ts';

type Coverage = components['schemas']['MonitoringCoverage'];
type Counted = Omit<
  Coverage,
  'environment' | 'asOf' | 'staleLists' | 'oldPublications' | 'incompleteLists' | 'algorithm'
>;

/** Limit of ids in a response. */
const NAMED = 100;

/** Formats an instant of a row for a JSON document, as in the contract. */
const instant = (column: string): Fragment =>
  sql`to_char(${knex.raw(column)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Returns, for one tenant and one environment, who is monitored, who is not, and whose last comparison is incomplete.
 */
export async function coverage(tx: Transaction, environment: Environment, at: BusinessTime): Promise<Counted> {
  const of = { tenantId: tx.tenantId!, environment };
  const gaps = gapsOf(sql`s`, await wantedComparison(tx, environment));
  const [row] = await tx.query<Counted>(sql`
    WITH listening AS MATERIALIZED (
      SELECT s.id, s.application_id, s.checks, s.last_run_at, ${gaps} AS gaps FROM monitoring_subscription s
        WHERE ${subscription.as('s').equal({ ...of, status: 'active' })} AND s.checks && ${LIST_CHECKS}),
    named AS MATERIALIZED (
      SELECT a.id, coalesce((SELECT c.comparable FROM screening c
        WHERE c.tenant_id = a.tenant_id AND c.subject_id = a.id ORDER BY c.sequence DESC LIMIT 1), true)
        AS is_comparable
      FROM application a WHERE ${application.as('a').equal(of)} AND ${isCustomer('a')}),
    customer AS MATERIALIZED (
      SELECT n.id, n.is_comparable, n.is_comparable AND l.id IS NOT NULL AS watched, n.is_comparable
        AND coalesce(cardinality(l.gaps) = 0, false) AS current
      FROM named n LEFT JOIN listening l ON l.application_id = n.id AND 'sanctions' = ANY (l.checks)),
    company AS MATERIALIZED (
      SELECT b.id, EXISTS (SELECT FROM monitoring_subscription s
        WHERE ${subscription.as('s').equal({ ...of, status: 'active' })} AND s.business_id = b.id
          AND 'registry_status' = ANY (s.checks)) AS watched
      FROM business b WHERE ${business.as('b').equal(of)} AND ${isCustomerBusiness('b')})
    SELECT (SELECT count(*)::integer FROM customer) AS "approvedSubjects",
      (SELECT count(*)::integer FROM customer WHERE watched) AS monitored,
      (SELECT count(*)::integer FROM customer WHERE watched AND current) AS "upToDate",
      (SELECT count(*)::integer FROM customer WHERE NOT watched) AS "unmonitoredCount",
      (SELECT coalesce(jsonb_agg(id ORDER BY id), '[]')
        FROM (SELECT id FROM customer WHERE NOT watched ORDER BY id LIMIT ${NAMED}) AS named) AS unmonitored,
      (SELECT count(*)::integer FROM customer WHERE NOT is_comparable) AS "notComparableCount",
      (SELECT coalesce(jsonb_agg(id ORDER BY id), '[]') FROM (SELECT id FROM customer WHERE NOT is_comparable
        ORDER BY id LIMIT ${NAMED}) AS named) AS "notComparable",
      (SELECT count(*)::integer FROM listening WHERE cardinality(gaps) > 0) AS "outdatedCount",
      (SELECT coalesce(jsonb_agg(jsonb_build_object('subscriptionId', id, 'applicationId', application_id, 'gaps', gaps,
        'lastRunAt', ${instant('last_run_at')}) ORDER BY 'run_failed' = ANY (gaps) DESC, id), '[]')
        FROM (SELECT * FROM listening WHERE cardinality(gaps) > 0 ORDER BY 'run_failed' = ANY (gaps) DESC, id
          LIMIT ${NAMED}) AS outdated) AS outdated,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('subscriptionId', id, 'applicationId', application_id, 'businessId',
        business_id, 'reason', pause_reason, 'until', ${instant('pause_until')}) ORDER BY pause_until, id), '[]')
        FROM (SELECT * FROM monitoring_subscription WHERE ${subscription.equal({ ...of, status: 'paused' })}
          ORDER BY pause_until, id LIMIT ${NAMED}) AS paused) AS paused,
      (SELECT count(*)::integer FROM monitoring_subscription
        WHERE ${subscription.equal(of)} AND ${isOverdue(at)}) AS "overdueRuns",
      (SELECT count(*)::integer FROM monitoring_alert WHERE ${alert.equal({ ...of, status: 'open' })}) AS "openAlerts",
      (SELECT min(first_seen_at) FROM monitoring_alert
        WHERE ${alert.equal({ ...of, status: 'open' })}) AS "oldestUnreviewedAlert",
      (SELECT jsonb_build_object('approved', count(*)::integer, 'monitored', (count(*) FILTER (WHERE watched))::integer,
        'unmonitoredCount', (count(*) FILTER (WHERE NOT watched))::integer, 'unmonitored', (
          SELECT coalesce(jsonb_agg(id ORDER BY id), '[]')
          FROM (SELECT id FROM company WHERE NOT watched ORDER BY id LIMIT ${NAMED}) AS named))
        FROM company) AS businesses`);
  return row!;
}

const countFailed = statement<{ tenantId: string; environment: Environment }, { count: number }>(
  'monitoring.countFailed',
  (p) => sql`
  SELECT count(*)::integer AS count FROM monitoring_subscription
  WHERE ${subscription.equal({
    tenantId: p.tenantId,
    environment: p.environment,
    status: 'active',
    lastResult: 'failed',
  })} AND checks && ${LIST_CHECKS}`,
);

/** Returns how many monitored applicants of the tenant could not be compared with the lists at the last attempt. */
export async function failedSubjects(tx: Transaction, environment: Environment): Promise<number> {
  return (await tx.run(countFailed, { tenantId: tx.tenantId!, environment }))[0]!.count;
}
