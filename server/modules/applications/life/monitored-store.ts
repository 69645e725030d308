/**
 * Which applicants are customers and therefore monitored, as SQL conditions and lists. Exported by the index for
 * screenings and monitoring. The rule repeats monitoring.ts in SQL; if the two differ, customers are missed or former
 * customers are still screened.
 */
import type { components } from '../../../contract/generated/types.ts';
import type { Environment } from '../../../contract/operation.ts';
import { type Fragment, sql, statement, type Transaction } from '../../../database/index.ts';
import { isCustomerAmong } from '../../decisions/index.ts';
import { LIST_CHECKS, subscription } from '../../subscriptions/index.ts';
import { screenedApplicant } from '../evidence/screening-store.ts';
import { personOf, type StoredPerson, unlessUnreadable, WRAPPED } from '../record/person-store.ts';
import { application } from '../record/store.ts';

/**
 * Returns the condition that the applicant is a customer of the tenant. Subscriptions begin and end by the same rule
 * (monitoring.ts).
 */
export const isCustomer = (of: string): Fragment => isCustomerAmong(application.as(of), 'applicationId');

const findCustomer = statement<{ tenantId: string; id: string }>(
  'application.findCustomer',
  (p) => sql`
  SELECT FROM application a WHERE ${application.as('a').equal({ tenantId: p.tenantId, id: p.id })}
    AND ${isCustomer('a')}`,
);

export async function isCustomerNow(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.count(findCustomer, { tenantId: tx.tenantId!, id })) > 0;
}

export interface MonitoredSubject {
  readonly subscriptionId: string;
  /** Null if the record of the applicant does not open, for example because its key is lost. */
  readonly subject: components['schemas']['ScreenedSubject'] | null;
}

type Wanted = {
  tenantId: string;
  environment: Environment;
  after: string;
  since: Date | null;
  also: readonly string[];
  limit: number;
};

const list = statement<Wanted, StoredPerson & { subscriptionId: string }>(
  'application.monitored',
  (p) => sql`
  SELECT application.id, application.applicant, ${WRAPPED}, s.id AS "subscriptionId"
  FROM monitoring_subscription s JOIN application ON application.tenant_id = s.tenant_id
    AND application.id = s.application_id
  WHERE ${subscription.as('s').equal({ tenantId: p.tenantId, environment: p.environment, status: 'active' })}
    AND s.id > ${p.after}::uuid AND s.checks && ${LIST_CHECKS} AND application.erased_at IS NULL
    AND (${p.since}::timestamptz IS NULL OR s.updated_at >= ${p.since} OR application.updated_at >= ${p.since}
      OR s.id = ANY (${p.also}::uuid[]))
  ORDER BY s.id LIMIT ${p.limit}::integer`,
);

/**
 * Lists the applicants with an active subscription to lists, in the order of their subscriptions. With `since`, it
 * lists only those that are new or have changed since then, and those of the subscriptions in `also`.
 */
export async function monitoredSubjects(
  tx: Transaction,
  wanted: Omit<Wanted, 'tenantId'>,
): Promise<MonitoredSubject[]> {
  const rows = await tx.run(list, { ...wanted, tenantId: tx.tenantId! });
  return rows.map((row) => ({
    subscriptionId: row.subscriptionId,
    subject: unlessUnreadable(() => screenedApplicant(personOf(tx, row))),
  }));
}
