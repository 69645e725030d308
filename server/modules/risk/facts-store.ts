import { sql, statement, type Transaction } from '../../database/index.ts';

/**
 * What other modules have found about an applicant, as far as it is a fact of risk. Their tables are read here in one
 * statement, because an assessment of a portfolio reads them for every subject.
 */
export interface Findings {
  /** Highest score of a hit that nobody has dismissed, by the family of its list; null without one. */
  readonly sanctionScore: number | null;
  readonly pepScore: number | null;
  readonly otherScore: number | null;
  /** Number of checks whose last attestation is unfavourable. */
  readonly unfavourable: number;
  /** Types of verification whose newest answer is a pass. */
  readonly passed: readonly string[];
  /** Numbers of kinds of verification whose newest answer is a failure, or is inconclusive. */
  readonly failed: number;
  readonly inconclusive: number;
  /** Number of alerts of monitoring that are not resolved. */
  readonly openAlerts: number;
}

const find = statement<{ tenantId: string; applicationId: string }, Findings>(
  'risk.findings',
  (p) => sql`
  WITH newest AS (
    SELECT s.tenant_id, s.id FROM screening s
      WHERE s.tenant_id = ${p.tenantId} AND s.subject_id = ${p.applicationId} ORDER BY s.sequence DESC LIMIT 1
  ), hits AS (
    SELECT h.category, h.score FROM newest n JOIN screening_hit h ON h.tenant_id = n.tenant_id
      AND h.screening_id = n.id WHERE h.status IN ('open', 'inconclusive', 'true_positive')
  ), attested AS (
    SELECT DISTINCT ON (requirement_key) outcome FROM attestation
      WHERE tenant_id = ${p.tenantId} AND application_id = ${p.applicationId}
      ORDER BY requirement_key, sequence DESC
  ), verified AS (
    SELECT DISTINCT ON (type, registry_source) type, coalesce(overridden_to, status) AS result FROM verification
      WHERE tenant_id = ${p.tenantId} AND application_id = ${p.applicationId} AND proves = 'identity'
        AND coalesce(overridden_to, status) IN ('passed', 'failed', 'inconclusive')
      ORDER BY type, registry_source, sequence DESC
  )
  SELECT
    (SELECT max(score) FROM hits WHERE category = 'sanction') AS "sanctionScore",
    (SELECT max(score) FROM hits WHERE category IN ('pep', 'rca')) AS "pepScore",
    (SELECT max(score) FROM hits WHERE category NOT IN ('sanction', 'pep', 'rca')) AS "otherScore",
    (SELECT count(*)::integer FROM attested WHERE outcome = 'fail') AS unfavourable,
    (SELECT coalesce(jsonb_agg(DISTINCT type ORDER BY type), '[]') FROM verified WHERE result = 'passed') AS passed,
    (SELECT count(*)::integer FROM verified WHERE result = 'failed') AS failed,
    (SELECT count(*)::integer FROM verified WHERE result = 'inconclusive') AS inconclusive,
    (SELECT count(*)::integer FROM monitoring_alert WHERE tenant_id = ${p.tenantId}
      AND application_id = ${p.applicationId} AND status IN ('open', 'acknowledged', 'escalated')) AS "openAlerts"`,
);

export async function findingsAbout(tx: Transaction, applicationId: string): Promise<Findings> {
  return (await tx.run(find, { tenantId: tx.tenantId!, applicationId }))[0]!;
}
