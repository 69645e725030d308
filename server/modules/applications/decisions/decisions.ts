/**
 * Rules of decisions about applications, without input or output: why the policy demands a second person, who may
 * decide, what an approval needs, and when it is reviewed again. Used by decide.ts, automatic-approval.ts and the
 * presentation. A missing reason here lets one person approve alone what two must approve.
 */
import type { BusinessTime } from '../../../base/time.ts';
import type { components } from '../../../contract/generated/types.ts';
import type { AnyPrincipal } from '../../../contract/operation.ts';
import { Problem } from '../../../contract/problem.ts';
import { calendarDate } from '../../../rules/brazilian-calendar.ts';
import { type Decision, decidedRecord } from '../../decisions/index.ts';
import type { DecisionPolicy } from '../../tenant-settings/index.ts';
import { countsLookUp } from '../evidence/attested.ts';
import { assessedOf, type Basis, isProhibited, type Screened } from '../evidence/requirement-rules.ts';
import { openRequirements } from '../evidence/requirements.ts';
import { type Risk, reviewMonthsOf, riskReasons, settledLevel } from '../evidence/risk-store.ts';
import { hasOpenHits, isScreened } from '../evidence/screening-coverage.ts';
import type { ApplicationRecord, Requirement } from '../record/application.ts';
import { NOT_SCREENED } from './signals.ts';

type DecisionInput = components['schemas']['DecisionCreate'];
type Policy = DecisionPolicy['rules'];

type Validity = Pick<Policy, 'validityByRisk'>;
type Assessed = Pick<ApplicationRecord, 'level' | 'applicant'>;
type ApprovalBasis = Basis & { readonly policy: { readonly rules: Pick<Policy, 'fourEyes'> } };

/**
 * Reason for a second review: a declared public office. It is personal data, so masked readers do not see this reason.
 */
export const PEP_DECLARED = 'pep_declared';

function declaresExposure({ applicant }: Assessed): boolean {
  return applicant.pepDeclaration?.isPep === true;
}

const isConfirmed = (screening: Screened): boolean => screening !== null && screening.confirmed.length > 0;

/** Findings about an applicant that decide who may decide, and how. */
export interface Findings {
  readonly screening: Screened;
  readonly risk: Risk;
}

/**
 * Returns why the tenant's policy demands a second review; empty if it demands none. A sanctioned applicant, or one of
 * prohibited risk, can only be rejected, which leaves nothing to review.
 */
export function fourEyesReasons(
  assessed: Assessed,
  { fourEyes }: Pick<Policy, 'fourEyes'>,
  { screening, risk }: Findings,
): string[] {
  return [
    ...riskReasons(risk, fourEyes),
    ...(fourEyes.onPep && declaresExposure(assessed) ? [PEP_DECLARED] : []),
    ...(fourEyes.onConfirmedHit && isConfirmed(screening) && !isProhibited(screening) ? ['hit_confirmed'] : []),
  ];
}

/**
 * Returns why an approval needs a second review: the applicant was not screened, a hit is open, a requirement is
 * waived, a check is attested by a person, or a person has overridden a verification.
 */
export function reasonsOfApproval(assessed: Assessed, basis: ApprovalBasis, items: readonly Requirement[]): string[] {
  const { onNotScreened, onOverride } = basis.policy.rules.fourEyes;
  return [
    ...(onNotScreened && !isScreened(assessed, basis) ? [NOT_SCREENED] : []),
    ...(hasOpenHits(assessed, basis) ? ['hits_open'] : []),
    ...(items.some(({ status }) => status === 'waived') ? ['requirement_waived'] : []),
    ...(items.some(({ key, status }) => status === 'verified' && countsLookUp(key, basis)) ? ['check_attested'] : []),
    ...(onOverride && basis.verifications.some(({ overriddenTo }) => overriddenTo !== null)
      ? ['verification_overridden']
      : []),
  ];
}

/**
 * Returns whether the risk is low by the assessment itself: without an override, enhanced diligence, a declared public
 * office, or a confirmed hit.
 */
export function isLowRisk(assessed: Assessed, { screening, risk }: Findings): boolean {
  const isLow = risk?.effectiveLevel === 'low' && !risk.isOverridden && !risk.requiresEnhanced;
  return isLow && assessed.level !== 'enhanced' && !declaresExposure(assessed) && !isConfirmed(screening);
}

/** Rejects a decision about high risk by anyone but a user, whatever the policy demands of users. */
export function assertMayDecide(
  { kind }: Pick<AnyPrincipal, 'kind'>,
  assessed: Assessed,
  { screening, risk }: Findings,
): void {
  if (kind !== 'user' && (settledLevel(risk) === 'high' || declaresExposure(assessed) || isConfirmed(screening)))
    throw new Problem('human_required');
}

/**
 * Rejects an approval unless all requirements are met or waived, including those that others than the applicant
 * establish, and the risk is not prohibited. A document may have expired after the submission.
 */
export function assertApprovable(
  outcome: DecisionInput['outcome'],
  assessed: Assessed,
  basis: Basis,
  now: BusinessTime,
): void {
  if (outcome !== 'approve') return;
  const items = openRequirements(assessedOf(assessed, basis, calendarDate(now)));
  if (items.length > 0) throw new Problem('checks_incomplete', { items });
  if (basis.risk?.effectiveLevel === 'prohibited') throw new Problem('prohibited_risk');
}

/**
 * Returns the application after an effective decision. An approval is valid for the time that the policy sets for its
 * risk. It is due for review after the months that the risk model sets, and no later than it expires.
 */
export function decided(
  record: ApplicationRecord,
  decision: Pick<Decision, 'outcome' | 'reasonCodes'>,
  { policy: { rules }, risk }: Pick<Findings, 'risk'> & { readonly policy: { readonly rules: Validity } },
  now: BusinessTime,
): ApplicationRecord {
  return decidedRecord(
    record,
    decision,
    { validityMonths: rules.validityByRisk[settledLevel(risk)], reviewMonths: reviewMonthsOf(risk) },
    now,
  );
}
