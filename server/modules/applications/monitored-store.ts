import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import { type Fragment, sql, statement, type Transaction } from '../../database/index.ts';
import { subscription } from '../subscriptions/index.ts';
import { type Kept, personOf, WRAPPED } from './person-store.ts';
import { screenedApplicant } from './screening-store.ts';
import { application } from './store.ts';

/** Of whom a tenant answers for: somebody whose approval stands or has run out, until the relationship ends. */
export const isCustomer = (of: string): Fragment => {
  const a = application.as(of);
  return sql`(${a.column('status')} = 'approved' OR (${a.column('status')} = 'expired' AND ${a.column('validUntil')} IS NOT NULL AND ${a.column('statusReason')} IS DISTINCT FROM 'renewed'))
    AND ${a.column('relationshipEndedAt')} IS NULL AND ${a.column('erasedAt')} IS NULL`;
};

export interface MonitoredSubject {
  readonly subscriptionId: string;
  readonly subject: components['schemas']['ScreenedSubject'];
}

type Wanted = { tenantId: string; environment: Environment; after: string; since: Date | null; limit: number };

const list = statement<Wanted, Kept & { subscriptionId: string }>('application.monitored', (p) => sql`
  SELECT application.id, application.applicant, ${WRAPPED}, s.id AS "subscriptionId"
  FROM monitoring_subscription s JOIN application ON application.tenant_id = s.tenant_id AND application.id = s.application_id
  WHERE ${subscription.as('s').equal({ tenantId: p.tenantId, environment: p.environment, status: 'active' })} AND s.id > ${p.after}::uuid AND s.checks && '{sanctions,pep}' AND application.erased_at IS NULL
    AND (${p.since}::timestamptz IS NULL OR s.updated_at >= ${p.since} OR application.updated_at >= ${p.since})
  ORDER BY s.id LIMIT ${p.limit}::integer`);

/** Applicants with an active subscription to lists, in the order of their subscriptions; with `since`, those alone that are new or have changed. */
export async function monitoredSubjects(tx: Transaction, wanted: Omit<Wanted, 'tenantId'>): Promise<MonitoredSubject[]> {
  const rows = await tx.run(list, { ...wanted, tenantId: tx.tenantId! });
  return rows.map((row) => ({ subscriptionId: row.subscriptionId, subject: screenedApplicant(personOf(tx, row)) }));
}
