import type { Uuid } from '../../../base/uuid.ts';
import { type Fragment, sql, statement, type Transaction } from '../../../database/index.ts';
import { decimalText } from '../../../risk/decimal.ts';
import type { RiskLevel, RiskModel } from '../../../risk/model.ts';
import { SHIPPED_MODELS } from '../../../risk/shipped.ts';
import type { Application } from '../record/application.ts';

/**
 * Current risk assessment of an application, as far as decisions depend on it. The table belongs to the module risk.
 * That module imports applications, so this module reads the table itself.
 */
export interface CurrentRisk {
  readonly id: Uuid;
  readonly modelNumber: number;
  readonly modelChecksum: string;
  /** In ten-thousandths. */
  readonly score: number;
  /** Level by the model. */
  readonly level: RiskLevel;
  /** Level that counts: that of an override, if one is in force. */
  readonly effectiveLevel: RiskLevel;
  readonly requiresEnhanced: boolean;
  readonly isOverridden: boolean;
  /** Months until the review, by level. Null if the model is the shipped one, which has no row. */
  readonly reviewMonths: RiskModel['reviewMonths'] | null;
}

/** Current risk assessment; null if the application was not assessed yet, or could not be scored. */
export type Risk = CurrentRisk | null;

/** Reads the current assessment of an application as a JSON value; null without one. */
export const currentRiskOf = (tenantId: Fragment, applicationId: Fragment): Fragment => sql`(
  SELECT jsonb_build_object('id', r.id, 'modelNumber', r.model_number, 'modelChecksum', r.model_checksum,
    'score', r.score, 'level', r.level, 'effectiveLevel', r.effective_level,
    'requiresEnhanced', r.requires_enhanced, 'isOverridden', r.overridden_until IS NOT NULL,
    'reviewMonths', (
      SELECT d.document -> 'reviewMonths' FROM definition d WHERE d.tenant_id = r.tenant_id AND d.id = r.model_id))
  FROM risk_assessment r WHERE r.tenant_id = ${tenantId} AND r.application_id = ${applicationId}
    AND r.superseded_by_id IS NULL AND r.erased_at IS NULL)`;

type Key = { tenantId: string; applicationId: string };

const find = statement<Key, { risk: Risk }>(
  'application.currentRisk',
  (p) => sql`SELECT ${currentRiskOf(sql`${p.tenantId}::uuid`, sql`${p.applicationId}::uuid`)} AS risk`,
);

export async function currentRisk(tx: Transaction, key: Key): Promise<Risk> {
  const [row] = await tx.run(find, key);
  return row?.risk ?? null;
}

/** Presents the risk of an application. */
export function presentRisk(risk: Risk): Pick<Application, 'riskLevel' | 'riskScore' | 'riskAssessmentId'> {
  return {
    riskLevel: risk?.effectiveLevel ?? null,
    riskScore: risk === null ? null : decimalText(BigInt(risk.score)),
    riskAssessmentId: risk?.id ?? null,
  };
}

/** Levels that settings and models distinguish. */
type SettledLevel = keyof RiskModel['reviewMonths'];

/**
 * Returns the level by which policy and model treat an application. An application without an assessment is treated as
 * of high risk, because nothing shows that it is lower.
 */
export function settledLevel(risk: Risk): SettledLevel {
  if (risk === null || risk.effectiveLevel === 'prohibited') return 'high';
  return risk.effectiveLevel;
}

/** Returns after how many months the model demands a review. */
export function reviewMonthsOf(risk: Risk): number {
  return (risk?.reviewMonths ?? SHIPPED_MODELS.individual.reviewMonths)[settledLevel(risk)];
}
