/**
 * Statements about monitored businesses: whose powers end soon, and what a run has raised. Used by the runs, the
 * periodic work and simulations.
 */
import type { BusinessTime } from '../../base/time.ts';
import type { Uuid } from '../../base/uuid.ts';
import type { Environment } from '../../contract/operation.ts';
import { type RowOf, sql, statement, type Transaction } from '../../database/index.ts';
import { power } from '../powers/index.ts';
import { alert, subscription } from '../subscriptions/index.ts';

/** Batch size. */
export const BUSINESSES_AT_ONCE = 100;

type Scope = {
  tenantId: string;
  environment: Environment;
  today: string;
  after: string;
};

/**
 * Businesses with a confirmed power that ends soon, or has ended since they are monitored, and has no alert of the
 * severity that its remaining days require. The severity is that of compare-business.ts.
 */
const listWarned = statement<Scope, { id: Uuid }>(
  'monitoring.powerDates',
  (p) => sql`
  SELECT DISTINCT s.business_id AS id
  FROM monitoring_subscription s JOIN power w ON w.tenant_id = s.tenant_id AND w.business_id = s.business_id
  WHERE ${subscription.as('s').equal({ tenantId: p.tenantId, environment: p.environment, status: 'active' })}
    AND 'power_expiry' = ANY (s.checks) AND s.business_id > ${p.after}::uuid
    AND ${power.as('w').equal({ status: 'active', erasedAt: null })}
    AND w.valid_until <= ${p.today}::date + 60
    AND (w.valid_until >= ${p.today}::date OR w.expired_at >= s.created_at)
    AND NOT EXISTS (SELECT FROM monitoring_alert m WHERE m.tenant_id = w.tenant_id AND m.business_id = w.business_id
      AND m.power_id = w.id AND m.due_on = w.valid_until AND m.severity = CASE
        WHEN w.valid_until < ${p.today}::date THEN 'high' WHEN w.valid_until <= ${p.today}::date + 7 THEN 'medium'
        WHEN w.valid_until <= ${p.today}::date + 30 THEN 'low' ELSE 'info' END)
  ORDER BY s.business_id LIMIT ${BUSINESSES_AT_ONCE}`,
);

const listDecided = statement<{ tenantId: string; businessId: string }, { dedupeKey: Buffer }>(
  'monitoring.decidedWarnings',
  (p) => sql`
  SELECT dedupe_key AS "dedupeKey" FROM monitoring_alert WHERE ${alert.equal({
    tenantId: p.tenantId,
    businessId: p.businessId,
    kind: 'power_expiry',
    status: 'resolved',
  })} AND outcome IN ('escalate', 'resolve')`,
);

const raisedColumns = alert.select('id', 'severity');

const listRaised = statement<{ tenantId: string; businessId: string; at: BusinessTime }, RowOf<typeof raisedColumns>>(
  'monitoring.raisedAt',
  (p) => sql`
  SELECT ${raisedColumns} FROM monitoring_alert
    WHERE ${alert.equal({ tenantId: p.tenantId, businessId: p.businessId, firstSeenAt: p.at })} ORDER BY id`,
);

/** Lists businesses whose powers must be looked at, in the order in which they are locked. */
export async function businessesToWarn(
  tx: Transaction,
  environment: Environment,
  { today, after }: { readonly today: string; readonly after: string },
): Promise<Uuid[]> {
  const rows = await tx.run(listWarned, {
    tenantId: tx.tenantId!,
    environment,
    today,
    after,
  });
  return rows.map(({ id }) => id);
}

/** Returns the keys, in hexadecimal digits, of the warnings of powers that people have resolved. */
export async function decidedWarnings(tx: Transaction, businessId: string): Promise<ReadonlySet<string>> {
  const rows = await tx.run(listDecided, { tenantId: tx.tenantId!, businessId });
  return new Set(rows.map(({ dedupeKey }) => dedupeKey.toString('hex')));
}

/**
 * Lists the alerts about a business that were first raised at exactly this time, which identifies those of the present
 * transaction.
 */
export function raisedAt(
  tx: Transaction,
  businessId: string,
  at: BusinessTime,
): Promise<RowOf<typeof raisedColumns>[]> {
  return tx.run(listRaised, { tenantId: tx.tenantId!, businessId, at });
}
