import type { components } from '../../contract/generated/types.ts';
import type { Body } from '../../contract/operation-types.ts';
import type { AnyPrincipal } from '../../contract/operation.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import type { ValidPart } from '../../request/handler.ts';
import { calendarDate, monthsLater } from '../../rules/brazilian-calendar.ts';
import { reasonFaults, SHIPPED_REASON_CODES } from '../../rules/reasons.ts';
import type { DecisionPolicy } from '../tenant-settings/index.ts';
import type { ApplicationRecord, DiligenceLevel, Requirement } from './application.ts';
import type { Decision } from './decision-store.ts';
import { assessedOf, type Basis, isAttestable, isProhibited, openRequirements, type Screened } from './requirements.ts';
import { hasOpenHits, isScreened } from './screening-coverage.ts';
import { NOT_SCREENED } from './signals.ts';

type Given = components['schemas']['DecisionCreate'];
type Policy = DecisionPolicy['rules'];
type RiskLevel = Policy['fourEyes']['levels'][number];

/** So much must be said where the reason says nothing. */
const NOTE_OF_OTHER = 50;

/** What a body alone can get wrong. */
export function decisionBodyFaults({ outcome, rejectType, reasonCodes = [], note }: ValidPart<Body<'createDecision'>>): FieldError[] {
  return [
    ...(outcome === 'reject' && rejectType === undefined ? [{ pointer: '/rejectType', code: 'required', message: 'is required of a rejection' }] : []),
    ...(outcome === 'approve' && rejectType !== undefined ? [{ pointer: '/rejectType', code: 'not_allowed', message: 'an approval does not have it' }] : []),
    ...reasonFaults('decision', outcome, Object.fromEntries(reasonCodes.flatMap((code, index) => [[`/reasonCodes/${index}`, code]]))),
    ...(reasonCodes.includes('other') && note !== undefined && [...note].length < NOTE_OF_OTHER
      ? [{ pointer: '/note', code: 'too_short', message: `must have at least ${NOTE_OF_OTHER} characters where the reason is other` }] : []),
  ];
}

/** Reasons come from the catalogue of the tenant; one that was emptied is the catalogue that is shipped. */
export function assertKnownReasons(given: readonly string[], { reasonCodes }: Pick<Policy, 'reasonCodes'>): void {
  const catalogue = reasonCodes.length > 0 ? reasonCodes : SHIPPED_REASON_CODES;
  const errors = given.flatMap((code, index) => (catalogue.includes(code) ? []
    : [{ pointer: `/reasonCodes/${index}`, code: 'unknown', message: 'must be one of the reason codes in the settings' }]));
  if (errors.length > 0) throw new Problem('unknown_reason_code', { errors });
}

type Assessed = Pick<ApplicationRecord, 'level' | 'applicant'>;
type ApprovalBasis = Basis & { readonly policy: { readonly rules: Pick<Policy, 'fourEyes'> } };

/** Until risk is assessed, the diligence that a case was given stands for the risk that it was believed to have. */
const RISK_OF: Readonly<Record<DiligenceLevel, RiskLevel>> = { basic: 'low', standard: 'medium', enhanced: 'high' };

/** What the person has declared is told to nobody who is shown persons masked. */
export const PEP_DECLARED = 'pep_declared';

function declaresExposure({ applicant }: Assessed): boolean {
  return applicant.pepDeclaration?.isPep === true;
}

const isConfirmed = (screening: Screened): boolean => screening !== null && screening.confirmed.length > 0;

/** Why a second person must agree, by the tenant's policy; empty where none must. Who is sanctioned can only be rejected, so nothing is left to agree on. */
export function fourEyesReasons(assessed: Assessed, { fourEyes }: Pick<Policy, 'fourEyes'>, screening: Screened): string[] {
  return [
    ...(fourEyes.levels.includes(RISK_OF[assessed.level]) ? [`level_${assessed.level}`] : []),
    ...(fourEyes.onPep && declaresExposure(assessed) ? [PEP_DECLARED] : []),
    ...(fourEyes.onConfirmedHit && isConfirmed(screening) && !isProhibited(screening) ? ['hit_confirmed'] : []),
  ];
}

/** Why a second person must agree to an approval: nobody was screened or has decided about a hit, or somebody says that what is asked for need not be there, or what it said where they looked it up. */
export function reasonsOfApproval(assessed: Assessed, basis: ApprovalBasis, items: readonly Requirement[]): string[] {
  return [
    ...(basis.policy.rules.fourEyes.onNotScreened && !isScreened(assessed, basis) ? [NOT_SCREENED] : []),
    ...(hasOpenHits(assessed, basis) ? ['hits_open'] : []),
    ...(items.some(({ status }) => status === 'waived') ? ['requirement_waived'] : []),
    ...(items.some(({ key, status }) => status === 'verified' && isAttestable(key)) ? ['check_attested'] : []),
  ];
}

/** Nobody is believed to be of low risk who declares a public office or was found on a list. */
export function isLowRisk(assessed: Assessed, screening: Screened): boolean {
  return RISK_OF[assessed.level] === 'low' && !declaresExposure(assessed) && !isConfirmed(screening);
}

/** A machine does not decide about high risk, whatever the policy asks of people. */
export function assertMayDecide({ kind }: Pick<AnyPrincipal, 'kind'>, assessed: Assessed, screening: Screened): void {
  if (kind !== 'user' && (RISK_OF[assessed.level] === 'high' || declaresExposure(assessed) || isConfirmed(screening))) throw new Problem('human_required');
}

/** What is asked for is met or waived: what others establish, too; and a document may have run out since the submission. */
export function assertApprovable(outcome: Given['outcome'], assessed: Assessed, basis: Basis, now: Date): void {
  if (outcome !== 'approve') return;
  const items = openRequirements(assessedOf(assessed, basis, calendarDate(now)));
  if (items.length > 0) throw new Problem('checks_incomplete', { items });
}

/** In months, by the risk that the level stands for. */
const REVIEW_MONTHS: Readonly<Record<RiskLevel, number>> = { low: 24, medium: 12, high: 6 };

/** The application once the decision has taken effect. An approval holds for the time that the policy gives its risk, and is looked at again before. */
export function decided(record: ApplicationRecord, { outcome, reasonCodes }: Pick<Decision, 'outcome' | 'reasonCodes'>, { validityByRisk }: Pick<Policy, 'validityByRisk'>, now: Date): ApplicationRecord {
  const decision = { statusReason: reasonCodes[0] ?? null, statusNote: null, decidedAt: now.toISOString() };
  if (outcome === 'reject') return { ...record, ...decision, status: 'rejected', validUntil: null, reviewDueAt: null };
  const risk = RISK_OF[record.level];
  const validityMonths = validityByRisk[risk];
  const reviewMonths = Math.min(REVIEW_MONTHS[risk], validityMonths);
  return { ...record, ...decision, status: 'approved', validUntil: monthsLater(now, validityMonths).toISOString(), reviewDueAt: monthsLater(now, reviewMonths).toISOString() };
}
