import type { components } from '../../../contract/generated/types.ts';
import { sql, statement, type Transaction } from '../../../database/index.ts';

type RiskLevel = components['schemas']['RiskLevel'];

/**
 * Current assessment of the risk of an applicant, as far as requirements and decisions depend on it. The table belongs
 * to the module risk. That module imports applications, so this module reads the table itself.
 */
export interface RiskEvidence {
  readonly assessmentId: string;
  /** Level by the model, and the level that counts: that of an override while it lasts. */
  readonly level: RiskLevel;
  readonly effectiveLevel: RiskLevel;
  /** In units of 0.0001. */
  readonly score: number;
  readonly requiresEnhanced: boolean;
  readonly modelId: string;
  readonly modelChecksum: string;
  /** End of the override; null without one. */
  readonly overriddenUntil: string | null;
}

const find = statement<{ tenantId: string; applicationId: string }, RiskEvidence>(
  'application.currentRisk',
  (p) => sql`
  SELECT id AS "assessmentId", level, effective_level AS "effectiveLevel", score,
      requires_enhanced AS "requiresEnhanced", model_id AS "modelId", model_checksum AS "modelChecksum",
      overridden_until AS "overriddenUntil"
    FROM risk_assessment WHERE tenant_id = ${p.tenantId} AND application_id = ${p.applicationId}
      AND superseded_by_id IS NULL AND erased_at IS NULL`,
);

/** Finds the current assessment of an applicant; null if the model never scored the applicant. */
export async function currentRisk(
  tx: Transaction,
  key: { readonly tenantId: string; readonly applicationId: string },
): Promise<RiskEvidence | null> {
  return (await tx.run(find, key))[0] ?? null;
}
