/**
 * The requirements that the service can evaluate, each with who meets it and by what, without input or output. Used by
 * requirements.ts and, for single rules, by decisions and documents. A rule that is too lenient lets an unidentified
 * person be approved; the key of a rule is part of the contract.
 */
import { areComparable } from '../../../rules/comparable-names.ts';
import {
  type Attestation,
  ATTESTED_ADVERSE,
  documentOutcome,
  isMet,
  OPEN,
  type Outcome,
  PROVIDED,
  type Rule as RuleOf,
  type Source,
  typesOf,
  VERIFIED,
  type Waiver,
} from '../../decisions/index.ts';
import type { DecisionPolicy } from '../../tenant-settings/index.ts';
import { isWatchList, watchListOf } from '../../watch-lists/index.ts';
import type { ApplicationRecord, Evidence } from '../record/application.ts';
import { attested, attestedPerson, countsLookUp } from './attested.ts';
import { type Consent, recordInForce } from './consent-store.ts';
import { gapOf, hasOpenMandatoryHit, type NewestScreening } from './screening-coverage.ts';
import type { Risk } from './risk-store.ts';
import { screenedApplicant, type ScreeningEvidence } from './screening-store.ts';
import type { VerificationEvidence } from './verification-store.ts';
import { VERIFICATION_FAILED, verificationSource, VERIFIED_BY, verifiedBy } from './verified.ts';

type OwnMembers = Pick<ApplicationRecord, 'level' | 'applicant'>;

/** Confirmed hits of the newest screening of the applicant; null without a screening. */
export type Screened = Pick<ScreeningEvidence, 'confirmed'> | null;

/** Records of an application from which requirements are computed. */
export interface Basis {
  readonly documents: readonly Evidence[];
  readonly consents: readonly Pick<Consent, 'action' | 'purpose' | 'capturedAt'>[];
  readonly waivers: readonly Pick<Waiver, 'action' | 'requirementKey'>[];
  readonly attestations: readonly Pick<Attestation, 'requirementKey' | 'outcome' | 'lookedUpAt' | 'subject'>[];
  readonly verifications: readonly VerificationEvidence[];
  readonly screening: NewestScreening;
  readonly risk: Risk;
  readonly policy: Pick<DecisionPolicy, 'staleListsBlock' | 'screenedLists'> & {
    readonly rules: Pick<DecisionPolicy['rules'], 'requiredChecks'>;
  };
}

/** Input from which requirements are computed. */
export interface Assessed extends OwnMembers, Omit<Basis, 'policy' | 'risk'> {
  /** Checks that the policy demands at the level. */
  readonly checks: readonly string[];
  readonly staleListsBlock: boolean;
  /** Lists against which all applicants are screened. */
  readonly screenedLists: readonly string[];
  /** YYYY-MM-DD */
  readonly today: string;
}

/** Records of a new application. */
export const NOTHING = {
  documents: [],
  consents: [],
  waivers: [],
  attestations: [],
  verifications: [],
  screening: null,
  risk: null,
} as const;

export function assessedOf(
  { level, applicant }: OwnMembers,
  { policy: { rules, staleListsBlock, screenedLists }, risk, ...basis }: Basis,
  today: string,
): Assessed {
  return {
    ...basis,
    level,
    applicant,
    // A hard rule of the risk model may demand enhanced diligence, whatever level was chosen.
    checks: rules.requiredChecks[risk?.requiresEnhanced === true ? 'enhanced' : level],
    staleListsBlock,
    screenedLists,
    today,
  };
}

type Rule = RuleOf<Assessed>;

const member = (pointer: string): Source => ({ kind: 'member', pointer });
/** Returns a source for cards and licences, which have two sides. A scan of both sides in one file is `single`. */
const twoSided = (documentType: Evidence['type']): Source => ({
  kind: 'document',
  documentType,
  sides: ['front', 'back', 'single'],
});
const oneSided = (documentType: Evidence['type']): Source => ({ kind: 'document', documentType, sides: ['single'] });

/** Requirement that no provider establishes: a person looks it up elsewhere and attests the result. */
const ATTESTED: Rule = { kind: 'established', met: attested, by: [{ kind: 'attestation' }] };

/** Requirements that this service can evaluate. Pages and programs find the field or the upload by the sources here. */
export const RULES = {
  identity_data: {
    kind: 'provided',
    met: ({ applicant }) => data(applicant.dateOfBirth !== null),
    by: [member('/applicant/dateOfBirth')],
  },
  // Incomparable names are rejected today, so this requirement appears only if an older record has such a name.
  comparable_name: {
    kind: 'provided',
    met: ({ applicant }) => (areComparable(screenedApplicant(applicant).names) ? PROVIDED : NOT_COMPARABLE),
    by: [member('/applicant/fullName'), member('/applicant/socialName')],
  },
  tax_id_valid: {
    kind: 'provided',
    // Check digits are verified whenever a number is written. Numbers of other countries cannot be verified.
    met: ({ applicant: { taxId } }) => (taxId !== null && taxId.type !== 'other' ? VERIFIED : data(taxId !== null)),
    by: [member('/applicant/taxId')],
  },
  id_document: documents(
    twoSided('id_card'),
    twoSided('driver_license'),
    oneSided('passport'),
    twoSided('national_migration_card'),
  ),
  address: {
    kind: 'provided',
    met: ({ applicant }) => data(applicant.address !== null),
    by: [member('/applicant/address')],
  },
  proof_of_address: documents(oneSided('proof_of_address')),
  income_declared: {
    kind: 'provided',
    met: ({ applicant }) => data(applicant.monthlyIncome !== null),
    by: [member('/applicant/monthlyIncome')],
  },
  source_of_funds: {
    kind: 'provided',
    met: ({ applicant }) => data(applicant.sourceOfFunds.length > 0),
    by: [member('/applicant/sourceOfFunds')],
  },
  legal_bases_recorded: {
    kind: 'established',
    met: ({ consents }) =>
      recordInForce(consents, 'identity_verification')?.action === 'granted'
        ? VERIFIED
        : { status: 'missing', reasonCode: 'legal_basis_missing' },
    by: [],
  },
  screening_clear: {
    kind: 'established',
    met: screeningClear,
    binds: hasOpenMandatoryHit,
    by: [],
  },
  document_ocr_passed: verified('document_ocr_passed'),
  liveness_passed: verified('liveness_passed'),
  face_match_passed: verified('face_match_passed'),
  cpf_status_ok: attestedOrVerified('cpf_status_ok'),
  account_protection_clear: attestedOrVerified('account_protection_clear'),
  adverse_media_clear: ATTESTED,
} satisfies { readonly [key: string]: Rule };

/**
 * Evaluates the screening. It is clear if it covers the current data of the applicant, if its mandatory lists were up
 * to date (if the policy demands that), if no hit is open, and if no hit on a sanctions list is confirmed.
 */
function screeningClear(assessed: Assessed): Outcome {
  const { screening, staleListsBlock } = assessed;
  if (screening === null) return OPEN;
  if (isProhibited(screening)) return { status: 'failed', reasonCode: CONFIRMED_MATCH };
  if (hasOpenMandatoryHit(assessed)) return { status: 'missing', reasonCode: 'hits_open' };
  const gap = gapOf(assessed);
  if (gap !== null) return { status: 'missing', reasonCode: gap };
  if (staleListsBlock && screening.staleLists.some((listId) => isWatchList(listId) && watchListOf(listId).isMandatory))
    return { status: 'missing', reasonCode: 'list_stale' };
  return screening.openHitCount > 0 || screening.truncated ? { status: 'missing', reasonCode: 'hits_open' } : VERIFIED;
}

/** Returns whether the requirement `screening_clear` is met. */
export function isScreeningClear(assessed: Assessed): boolean {
  return isMet(screeningClear(assessed));
}

type VerifiedKey = keyof typeof VERIFIED_BY;

function outcomeOfVerification(key: VerifiedKey, assessed: Assessed): Outcome {
  const { applicant, verifications, documents, today } = assessed;
  return verifiedBy(VERIFIED_BY[key], {
    verifications,
    documents,
    subject: attestedPerson(applicant),
    today,
  });
}

/** Returns a rule that a verification meets. */
function verified(key: VerifiedKey): Rule {
  return {
    kind: 'established',
    met: (assessed) => outcomeOfVerification(key, assessed),
    by: [verificationSource(VERIFIED_BY[key])],
  };
}

/** Returns a rule that a verification or an attestation meets. The newer of the two counts. */
function attestedOrVerified(key: VerifiedKey): Rule {
  return {
    kind: 'established',
    met: (assessed) => (countsLookUp(key, assessed) ? attested(assessed, key) : outcomeOfVerification(key, assessed)),
    by: [...ATTESTED.by, verificationSource(VERIFIED_BY[key])],
  };
}

/** Returns whether an attestation meets the requirement. */
export function isAttestable(key: string): boolean {
  return sourcesOf(key).some(({ kind }) => kind === 'attestation');
}

/**
 * Returns whether the law forbids business with the applicant, because a hit on a sanctions list is confirmed. Hits on
 * other lists are for people to judge.
 */
export function isProhibited(screening: Screened): boolean {
  return screening?.confirmed.includes('sanction') === true;
}

const CONFIRMED_MATCH = 'confirmed_match';

/**
 * Returns whether a requirement applies at every level and cannot be waived: a hit on a sanctions list is confirmed, an
 * attestation is adverse, a verification has failed, or a hit on a mandatory list is open.
 */
export function isBinding(assessed: Assessed, key: string): boolean {
  const { met, binds } = ruleOf(key);
  const { reasonCode } = met(assessed, key);
  const isAdverse = [CONFIRMED_MATCH, ATTESTED_ADVERSE, VERIFICATION_FAILED].includes(reasonCode ?? '');
  return isAdverse || binds?.(assessed) === true;
}

/** Requirement that a policy may demand and this service cannot evaluate yet: a person checks it, and waives it. */
const NOT_ESTABLISHED: Rule = { kind: 'established', met: () => OPEN, by: [] };

export function ruleOf(key: string): Rule {
  return isKnown(key) ? RULES[key as keyof typeof RULES] : NOT_ESTABLISHED;
}

/** Returns whether this service can evaluate a requirement, whether or not the policy demands it. */
export function isKnown(key: string): boolean {
  return Object.hasOwn(RULES, key);
}

/** Returns the sources that meet a requirement. */
export function sourcesOf(key: string): readonly Source[] {
  return ruleOf(key).by;
}

/** Outcome for a name that cannot be compared with any list, so that its screening would mean nothing. */
export const NOT_COMPARABLE: Outcome = { status: 'missing', reasonCode: 'name_not_comparable' };

function data(present: boolean): Outcome {
  return present ? PROVIDED : { status: 'missing', reasonCode: 'data_missing' };
}

/** Returns a rule that one document of these types meets, if it is not rejected, superseded or expired. */
function documents(...by: readonly Source[]): Rule {
  const types = typesOf(by);
  return {
    kind: 'provided',
    by,
    met: ({ documents: evidence, today }) => documentOutcome(types, evidence, today),
  };
}
