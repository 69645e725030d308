/**
 * The catalogue of reasons: the outcomes for which each reason may be used, and what the reason presumes. A decision is
 * read years later by its reason, so a reason that contradicts the outcome is refused when it is written. Codes that a
 * tenant has added to its own catalogue are not included and may be used for every outcome.
 */
import type { components } from '../contract/generated/types.ts';
import { type FieldError, Problem } from '../contract/problem.ts';

type Schemas = components['schemas'];
export type ReasonRule = Schemas['ReasonRule'];
type Presumed = NonNullable<ReasonRule['presumes']>;

/** Outcomes of each subject, and the reasons in its contract. */
interface Subjects {
  readonly decision: { readonly outcome: Schemas['DecisionOutcome']; readonly reason: string };
  readonly hit: { readonly outcome: Schemas['HitVerdict']; readonly reason: Schemas['HitReason'] };
  readonly alert: {
    readonly outcome: Schemas['AlertTriage']['outcome'];
    readonly reason: Schemas['AlertTriage']['reasonCode'];
  };
  readonly waiver: {
    readonly outcome: Schemas['WaiverCreate']['action'];
    readonly reason: Schemas['WaiverCreate']['reasonCode'];
  };
  readonly case: { readonly outcome: Schemas['CaseOutcomeInput']; readonly reason: Schemas['CaseReasonCode'] };
}

type Subject = keyof Subjects;
type Reasons<S extends Subject> = Readonly<Record<Subjects[S]['reason'], readonly Subjects[S]['outcome'][]>>;

const CATALOGUE: { readonly [S in Subject]: Reasons<S> } = {
  decision: {
    identity_confirmed: ['approve'],
    low_risk: ['approve'],
    enhanced_diligence_satisfied: ['approve'],
    document_fraud: ['reject'],
    document_unreadable: ['reject'],
    document_expired: ['reject'],
    identity_mismatch: ['reject'],
    identity_conflict: ['reject'],
    face_mismatch: ['reject'],
    liveness_failed: ['reject'],
    underage: ['reject'],
    duplicate: ['reject'],
    sanctions_match: ['reject'],
    pep_not_accepted: ['reject'],
    adverse_information: ['reject'],
    source_of_funds_unproven: ['reject'],
    account_protection_active: ['reject'],
    business_inactive: ['reject'],
    ownership_opaque: ['reject'],
    powers_unproven: ['reject'],
    applicant_unresponsive: ['reject'],
    policy_exclusion: ['reject'],
    other: ['approve', 'reject'],
  },
  hit: {
    different_dob: ['false_positive'],
    different_nationality: ['false_positive'],
    different_tax_id: ['false_positive'],
    different_gender: ['false_positive'],
    name_only: ['false_positive', 'inconclusive'],
    insufficient_data: ['inconclusive'],
    same_person_confirmed: ['true_positive'],
    other: ['true_positive', 'false_positive', 'inconclusive'],
  },
  alert: {
    different_person: ['dismiss', 'resolve'],
    known_to_us: ['acknowledge', 'dismiss', 'resolve'],
    no_longer_relevant: ['dismiss', 'resolve'],
    needs_investigation: ['acknowledge', 'escalate'],
    relationship_reviewed: ['dismiss', 'resolve'],
    document_renewed: ['dismiss', 'resolve'],
    other: ['acknowledge', 'dismiss', 'escalate', 'resolve'],
  },
  waiver: {
    verified_elsewhere: ['granted'],
    not_obtainable: ['granted'],
    disproportionate: ['granted'],
    error_correction: ['granted', 'revoked'],
    other: ['granted', 'revoked'],
  },
  case: {
    explained_by_customer: ['cleared', 'no_action'],
    documents_sufficient: ['cleared', 'no_action'],
    different_person: ['false_positive'],
    known_to_us: ['cleared', 'no_action'],
    duplicate_case: ['no_action'],
    risk_accepted: ['confirmed_risk', 'no_action'],
    information_not_provided: ['confirmed_risk', 'exit_relationship'],
    suspicion_confirmed: ['confirmed_risk', 'exit_relationship'],
    work_confirmed: ['cleared'],
    work_deficient: ['confirmed_risk'],
    other: ['cleared', 'false_positive', 'confirmed_risk', 'no_action', 'exit_relationship'],
  },
};

/**
 * Attribute that differs according to a reason for a verdict about a hit: the attribute must be known of both sides and
 * differ.
 */
const PRESUMED: Readonly<Partial<Record<Schemas['HitReason'], Presumed>>> = {
  different_dob: 'date_of_birth',
  different_nationality: 'country',
  different_tax_id: 'tax_id',
  different_gender: 'gender',
};

/** Reasons for decisions about applications, as long as a tenant has no catalogue of its own. */
export const SHIPPED_REASON_CODES: readonly string[] = Object.keys(CATALOGUE.decision);

/** Full catalogue, as the settings show it. */
export const REASON_CATALOGUE: readonly ReasonRule[] = Object.entries(CATALOGUE).flatMap(([subject, reasons]) =>
  Object.entries(reasons).map(([code, outcomes]) => ({
    subject: subject as Subject,
    code,
    outcomes: [...(outcomes as readonly string[])],
    presumes: subject === 'hit' ? presumedBy(code) : null,
  })),
);

/**
 * Returns the attribute that must differ if a verdict about a hit has this reason, or null if the reason presumes none.
 */
export function presumedBy(code: string): Presumed | null {
  return PRESUMED[code as Schemas['HitReason']] ?? null;
}

/**
 * Returns an error for each reason that may not be used for the outcome, with its pointer. Parts of a body that the
 * schema refuses are not checked.
 */
export function reasonFaults<S extends Subject>(
  subject: S,
  outcome: Subjects[S]['outcome'] | undefined,
  reasonByPointer: Readonly<Record<string, string | undefined>>,
): FieldError[] {
  if (outcome === undefined) return [];
  const reasons: Readonly<Record<string, readonly string[]>> = CATALOGUE[subject];
  return Object.entries(reasonByPointer).flatMap(([pointer, code]) => {
    const outcomes = code !== undefined && Object.hasOwn(reasons, code) ? reasons[code]! : [outcome];
    return outcomes.includes(outcome)
      ? []
      : [{ pointer, code: 'not_for_outcome', message: `is a reason for ${outcomes.join(' or ')}, not for ${outcome}` }];
  });
}

/** Rejects a reason that may not be used for the outcome. */
export function assertReason<S extends Subject>(subject: S, outcome: Subjects[S]['outcome'], reasonCode: string): void {
  const errors = reasonFaults(subject, outcome, { '/reasonCode': reasonCode });
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
}
