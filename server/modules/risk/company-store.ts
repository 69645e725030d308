/**
 * Statements about companies and their people, as far as they are facts of risk. The tables belong to other modules.
 * Used by the facts of companies and by what queues assessments.
 */
import type { Uuid } from '../../base/uuid.ts';
import { sql, statement, type Transaction } from '../../database/index.ts';
import type { RiskLevel } from '../../risk/model.ts';

/** What is known of the people of a company by their applications. */
export interface PeopleOfCompany {
  /** Levels of risk that count, without repetition. */
  readonly levels: readonly RiskLevel[];
  readonly isPepConfirmed: boolean;
  readonly isSanctionConfirmed: boolean;
}

const findPeople = statement<{ tenantId: string; businessId: string }, PeopleOfCompany>(
  'risk.peopleOfCompany',
  (p) => sql`
  WITH people AS (
    SELECT a.tenant_id, a.id FROM business_party b
      JOIN application a ON a.tenant_id = b.tenant_id AND a.id = b.linked_application_id AND a.erased_at IS NULL
      WHERE b.tenant_id = ${p.tenantId} AND b.business_id = ${p.businessId}
  ), confirmed AS (
    SELECT DISTINCT h.category FROM people a JOIN screening_hit h ON h.tenant_id = a.tenant_id
      AND h.subject_id = a.id AND h.status = 'true_positive'
  )
  SELECT
    (SELECT coalesce(jsonb_agg(DISTINCT r.effective_level), '[]') FROM people a JOIN risk_assessment r
      ON r.tenant_id = a.tenant_id AND r.application_id = a.id AND r.superseded_by_id IS NULL) AS levels,
    EXISTS (SELECT FROM confirmed WHERE category IN ('pep', 'rca')) AS "isPepConfirmed",
    EXISTS (SELECT FROM confirmed WHERE category = 'sanction') AS "isSanctionConfirmed"`,
);

const listCompanies = statement<{ tenantId: string; applicationId: string }, { id: Uuid }>(
  'risk.companiesOf',
  (p) => sql`
  SELECT DISTINCT b.id FROM business_party p
    JOIN business b ON b.tenant_id = p.tenant_id AND b.id = p.business_id AND b.erased_at IS NULL
    WHERE p.tenant_id = ${p.tenantId} AND p.linked_application_id = ${p.applicationId} ORDER BY b.id`,
);

export async function peopleOfCompany(tx: Transaction, businessId: string): Promise<PeopleOfCompany> {
  return (await tx.run(findPeople, { tenantId: tx.tenantId!, businessId }))[0]!;
}

/** Lists the companies whose graph has the person of an application. */
export async function companiesOf(tx: Transaction, applicationId: string): Promise<Uuid[]> {
  return (await tx.run(listCompanies, { tenantId: tx.tenantId!, applicationId })).map(({ id }) => id);
}
