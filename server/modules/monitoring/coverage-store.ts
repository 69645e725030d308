import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import { sql, type Transaction } from '../../database/index.ts';
import { application, isCustomer } from '../applications/index.ts';
import { alert, subscription } from '../subscriptions/index.ts';
import { isOverdue } from './list-store.ts';

type Coverage = components['schemas']['MonitoringCoverage'];
type Counted = Omit<Coverage, 'environment' | 'asOf' | 'staleLists'>;

/** As many as an answer names. */
const NAMED = 100;

/** Who is watched, and who is not, of one tenant and one environment. */
export async function coverage(tx: Transaction, environment: Environment, now: Date): Promise<Counted> {
  const of = { tenantId: tx.tenantId!, environment };
  const [row] = await tx.query<Counted>(sql`
    WITH customer AS MATERIALIZED (
      SELECT id, is_comparable, is_comparable AND EXISTS (SELECT FROM monitoring_subscription s WHERE s.tenant_id = named.tenant_id AND s.application_id = named.id AND s.status = 'active' AND 'sanctions' = ANY (s.checks)) AS watched
      FROM (SELECT a.tenant_id, a.id, coalesce((SELECT c.comparable FROM screening c WHERE c.tenant_id = a.tenant_id AND c.subject_id = a.id ORDER BY c.sequence DESC LIMIT 1), true) AS is_comparable
        FROM application a WHERE ${application.as('a').equal(of)} AND ${isCustomer('a')}) AS named)
    SELECT (SELECT count(*)::integer FROM customer) AS "approvedSubjects",
      (SELECT count(*)::integer FROM customer WHERE watched) AS monitored,
      (SELECT count(*)::integer FROM customer WHERE NOT watched) AS "unmonitoredCount",
      (SELECT coalesce(jsonb_agg(id ORDER BY id), '[]') FROM (SELECT id FROM customer WHERE NOT watched ORDER BY id LIMIT ${NAMED}) AS named) AS unmonitored,
      (SELECT count(*)::integer FROM customer WHERE NOT is_comparable) AS "notComparableCount",
      (SELECT coalesce(jsonb_agg(id ORDER BY id), '[]') FROM (SELECT id FROM customer WHERE NOT is_comparable ORDER BY id LIMIT ${NAMED}) AS named) AS "notComparable",
      (SELECT coalesce(jsonb_agg(jsonb_build_object('subscriptionId', id, 'applicationId', application_id, 'reason', pause_reason, 'until', to_char(pause_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY pause_until, id), '[]')
        FROM (SELECT * FROM monitoring_subscription WHERE ${subscription.equal({ ...of, status: 'paused' })} ORDER BY pause_until, id LIMIT ${NAMED}) AS paused) AS paused,
      (SELECT count(*)::integer FROM monitoring_subscription WHERE ${subscription.equal(of)} AND ${isOverdue(now)}) AS "overdueRuns",
      (SELECT count(*)::integer FROM monitoring_alert WHERE ${alert.equal({ ...of, status: 'open' })}) AS "openAlerts",
      (SELECT min(first_seen_at) FROM monitoring_alert WHERE ${alert.equal({ ...of, status: 'open' })}) AS "oldestUnreviewedAlert"`);
  return row!;
}
