import type { Uuid } from '../../../base/uuid.ts';
import { type Fragment, sql, statement, type Transaction } from '../../../database/index.ts';
import { decimalText } from '../../../risk/decimal.ts';
import type { SubjectType } from '../../../risk/facts.ts';
import type { RiskLevel, RiskModel } from '../../../risk/model.ts';
import { LEVELS } from '../../../risk/score.ts';
import { SHIPPED_MODELS } from '../../../risk/shipped.ts';
import type { Subject } from '../../../rules/subject.ts';
import { bySubject, keyOf, type OfSubject } from '../../../rules/subject-rows.ts';
import type { DecisionPolicy } from '../../tenant-settings/index.ts';
import type { Application } from '../record/application.ts';

/**
 * Current risk assessment of a subject, as far as decisions depend on it. The table belongs to the module risk. That
 * module imports applications and businesses, so the table is read here for both.
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

/** Current risk assessment; null if the subject was not assessed yet, or could not be scored. */
export type Risk = CurrentRisk | null;

const COLUMN = { application: sql`r.application_id`, business: sql`r.business_id` };

/** Reads the current assessment of a subject as a JSON value; null without one. */
export const currentRiskOf = (
  tenantId: Fragment,
  id: Fragment,
  kind: Subject['kind'] = 'application',
): Fragment => sql`(
  SELECT jsonb_build_object('id', r.id, 'modelNumber', r.model_number, 'modelChecksum', r.model_checksum,
    'score', r.score, 'level', r.level, 'effectiveLevel', r.effective_level,
    'requiresEnhanced', r.requires_enhanced, 'isOverridden', r.overridden_until IS NOT NULL,
    'reviewMonths', (
      SELECT d.document -> 'reviewMonths' FROM definition d WHERE d.tenant_id = r.tenant_id AND d.id = r.model_id))
  FROM risk_assessment r WHERE r.tenant_id = ${tenantId} AND ${COLUMN[kind]} = ${id}
    AND r.superseded_by_id IS NULL AND r.erased_at IS NULL)`;

const find = bySubject((_, kind) =>
  statement<OfSubject, { risk: Risk }>(
    `risk.currentOf.${kind}`,
    (p) => sql`SELECT ${currentRiskOf(sql`${p.tenantId}::uuid`, sql`${p.subjectId}::uuid`, kind)} AS risk`,
  ),
);

export async function currentRisk(tx: Transaction, subject: Subject): Promise<Risk> {
  const [row] = await tx.run(find(subject), keyOf(tx, subject));
  return row?.risk ?? null;
}

/** Presents the risk of a subject. */
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
 * Returns the level by which policy and model treat a subject. A subject without an assessment is treated as
 * of high risk, because nothing shows that it is lower.
 */
export function settledLevel(risk: Risk): SettledLevel {
  if (risk === null || risk.effectiveLevel === 'prohibited') return 'high';
  return risk.effectiveLevel;
}

/** Returns after how many months the model demands a review. */
export function reviewMonthsOf(risk: Risk, subjectType: SubjectType = 'individual'): number {
  return (risk?.reviewMonths ?? SHIPPED_MODELS[subjectType].reviewMonths)[settledLevel(risk)];
}

/**
 * Returns why the risk of a subject demands a second review. A subject of prohibited risk can only be rejected, which
 * leaves nothing to review.
 */
export function riskReasons(
  risk: Risk,
  { levels, onOverride }: Pick<DecisionPolicy['rules']['fourEyes'], 'levels' | 'onOverride'>,
): string[] {
  return [
    ...(risk?.effectiveLevel !== 'prohibited' && levels.includes(settledLevel(risk))
      ? [risk === null ? 'risk_not_assessed' : `risk_${risk.effectiveLevel}`]
      : []),
    ...(risk !== null && risk.isOverridden && (onOverride || isLowered(risk)) ? ['risk_overridden'] : []),
  ];
}

/** Returns whether an override makes the level lower than the model does. */
function isLowered({ level, effectiveLevel }: CurrentRisk): boolean {
  return LEVELS.indexOf(effectiveLevel) < LEVELS.indexOf(level);
}
