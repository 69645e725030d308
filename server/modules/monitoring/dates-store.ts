/**
 * Finds the expiring documents and due reviews that need a warning, and resolves warnings that are out of date. Used by
 * dates.ts.
 */
import type { Environment } from '../../contract/operation.ts';
import { type Fragment, type ParametersOf, sql, statement, type Transaction } from '../../database/index.ts';
import { application, isCustomer } from '../applications/index.ts';
import { business } from '../businesses/index.ts';
import { document } from '../documents/index.ts';
import { alert, type Severity, subscription } from '../subscriptions/index.ts';

/** Document or review with a due date, and how near the date is. */
export interface ComingDate {
  readonly subscriptionId: string;
  readonly applicationId: string | null;
  readonly businessId: string | null;
  readonly documentId: string | null;
  readonly dueOn: string;
  readonly severity: Severity;
  readonly dedupeKey: Buffer;
}

/** Batch size of warnings. */
export const DATES_AT_ONCE = 100;

type Scope = { tenantId: string; environment: Environment; today: string };

/** Kinds of subjects, each with the column that names its subject in a row. */
const KINDS = [
  { kind: 'application', column: sql`application_id` },
  { kind: 'business', column: sql`business_id` },
] as const;

/**
 * Whether the warning exists already. Each warning is an alert of its own, so the due date and the severity are part of
 * its dedupe key. The query must name the subscription `s`, and the text from which the key is computed `what`.
 */
const isRaised = (column: Fragment): Fragment =>
  sql`EXISTS (SELECT FROM monitoring_alert m WHERE m.tenant_id = s.tenant_id
  AND s.${column} = m.${column} AND m.dedupe_key = sha256(convert_to(what, 'UTF8')))`;
const watching = (p: ParametersOf<Scope>, check: 'document_expiry' | 'risk_review') =>
  sql`${subscription.as('s').equal({ tenantId: p.tenantId, environment: p.environment, status: 'active' })}
    AND ${check} = ANY (s.checks)`;

/** Finds documents that expire within 60, 30 or 7 days, or have expired. */
const listDocuments = KINDS.map(({ kind, column }) =>
  statement<Scope, ComingDate>(
    `monitoring.documentDates.${kind}`,
    (p) => sql`
  SELECT s.id AS "subscriptionId", s.application_id AS "applicationId", s.business_id AS "businessId",
    d.id AS "documentId", d.expires_on::text AS "dueOn", near.severity,
    sha256(convert_to(what, 'UTF8')) AS "dedupeKey"
  FROM monitoring_subscription s JOIN document d ON d.tenant_id = s.tenant_id
    AND s.${column} = d.${column}
  CROSS JOIN LATERAL (SELECT CASE WHEN d.expires_on <= ${p.today}::date THEN 'high'
    WHEN d.expires_on <= ${p.today}::date + 7 THEN 'medium' WHEN d.expires_on <= ${p.today}::date + 30 THEN 'low'
    ELSE 'info' END AS severity) near
  CROSS JOIN LATERAL (SELECT 'document ' || d.id || ' ' || d.expires_on || ' ' || near.severity AS what) named
  WHERE ${watching(p, 'document_expiry')} AND ${document.as('d').column('expiresOn')} <= ${p.today}::date + 60
    AND d.case_id IS NULL AND d.status NOT IN ('superseded', 'rejected') AND NOT ${isRaised(column)}
  ORDER BY s.id, d.id LIMIT ${DATES_AT_ONCE}`,
  ),
);

/** Day on which the review of an application `a` or a business `b` is due. */
const reviewDay = {
  application: sql`(${application.as('a').column('reviewDueAt')} AT TIME ZONE 'America/Sao_Paulo')::date`,
  business: sql`(${business.as('b').column('reviewDueAt')} AT TIME ZONE 'America/Sao_Paulo')::date`,
};
const reviewed = {
  application: sql`application a ON a.tenant_id = s.tenant_id AND a.id = s.application_id AND a.erased_at IS NULL`,
  business: sql`business b ON b.tenant_id = s.tenant_id AND b.id = s.business_id AND b.erased_at IS NULL`,
};

/** Finds reviews that are due within 30 days or overdue. */
const listReviews = KINDS.map(({ kind, column }) =>
  statement<Scope, ComingDate>(
    `monitoring.reviewDates.${kind}`,
    (p) => sql`
  SELECT s.id AS "subscriptionId", s.application_id AS "applicationId", s.business_id AS "businessId",
    NULL::uuid AS "documentId", due.on::text AS "dueOn", near.severity,
    sha256(convert_to(what, 'UTF8')) AS "dedupeKey"
  FROM monitoring_subscription s JOIN ${reviewed[kind]}
  CROSS JOIN LATERAL (SELECT ${reviewDay[kind]} AS on) due
  CROSS JOIN LATERAL (SELECT CASE WHEN due.on <= ${p.today}::date THEN 'high' ELSE 'low' END AS severity) near
  CROSS JOIN LATERAL (SELECT 'review ' || due.on || ' ' || near.severity AS what) named
  WHERE ${watching(p, 'risk_review')} AND due.on <= ${p.today}::date + 30
    AND NOT ${isRaised(column)}
  ORDER BY s.id LIMIT ${DATES_AT_ONCE}`,
  ),
);

/**
 * Whether the cause of a warning remains: the subject is monitored, and the document or the review still has that due
 * date. Another document may have replaced the first, or a new approval may have set another day.
 */
const hasCause = sql`EXISTS (SELECT FROM monitoring_subscription s WHERE s.tenant_id = m.tenant_id
  AND s.id = m.subscription_id AND s.status <> 'ended') AND CASE
  WHEN m.kind = 'document_expiry' THEN EXISTS (SELECT FROM document d WHERE d.tenant_id = m.tenant_id
    AND d.id = m.document_id AND d.expires_on = m.due_on AND d.status NOT IN ('superseded', 'rejected'))
  WHEN m.business_id IS NULL THEN EXISTS (SELECT FROM application a WHERE a.tenant_id = m.tenant_id
    AND a.id = m.application_id AND ${reviewDay.application} = m.due_on)
  ELSE EXISTS (SELECT FROM business b WHERE b.tenant_id = m.tenant_id AND b.id = m.business_id
    AND ${reviewDay.business} = m.due_on) END`;

/**
 * Whether a later warning of the same due date, which is more severe, has replaced this one, so that a document or a
 * review has only one open warning.
 */
const hasSuccessor = (column: Fragment): Fragment =>
  sql`EXISTS (SELECT FROM monitoring_alert n WHERE n.tenant_id = m.tenant_id
  AND m.${column} = n.${column} AND n.kind = m.kind AND n.document_id IS NOT DISTINCT FROM m.document_id
  AND n.due_on = m.due_on AND n.first_seen_at > m.first_seen_at)`;

const resolve = statement<Pick<Scope, 'tenantId' | 'environment'>>(
  'monitoring.resolvePastWarnings',
  (p) => sql`
  UPDATE monitoring_alert m SET ${alert.assign({ status: 'resolved' })}
  WHERE ${alert.as('m').equal({ tenantId: p.tenantId, environment: p.environment })}
    AND m.kind IN ('document_expiry', 'risk_review') AND m.status IN ('open', 'acknowledged', 'escalated')
    AND (NOT (${hasCause}) OR ${hasSuccessor(KINDS[0].column)} OR ${hasSuccessor(KINDS[1].column)})`,
);

/**
 * Finds and locks customers without a subscription, for example those who were approved before monitoring was
 * introduced. Skips locked ones, because another process is subscribing or changing them.
 */
const listUnmonitored = statement<Pick<Scope, 'tenantId' | 'environment'>, { id: string }>(
  'monitoring.gaps',
  (p) => sql`
  SELECT a.id FROM application a
    WHERE ${application.as('a').equal({ tenantId: p.tenantId, environment: p.environment })} AND ${isCustomer('a')}
    AND NOT EXISTS (SELECT FROM monitoring_subscription s
      WHERE s.tenant_id = a.tenant_id AND s.application_id = a.id AND s.status <> 'ended')
  ORDER BY a.id LIMIT ${DATES_AT_ONCE} FOR UPDATE SKIP LOCKED`,
);

export async function comingDates(
  tx: Transaction,
  environment: Environment,
  today: string,
): Promise<{ readonly kind: 'document_expiry' | 'risk_review'; readonly date: ComingDate }[]> {
  const of = { tenantId: tx.tenantId!, environment, today };
  const [documents, reviews] = await Promise.all(
    [listDocuments, listReviews].map((lists) => Promise.all(lists.map((list) => tx.run(list, of)))),
  );
  return [
    ...documents!.flat().map((date) => ({ kind: 'document_expiry', date }) as const),
    ...reviews!.flat().map((date) => ({ kind: 'risk_review', date }) as const),
  ];
}

/** Resolves warnings whose cause has ended, and all but the nearest of the same document or review. */
export function resolvePastWarnings(tx: Transaction, environment: Environment): void {
  void tx.run(resolve, { tenantId: tx.tenantId!, environment });
}

export async function unwatchedCustomers(tx: Transaction, environment: Environment): Promise<string[]> {
  return (await tx.run(listUnmonitored, { tenantId: tx.tenantId!, environment })).map(({ id }) => id);
}
