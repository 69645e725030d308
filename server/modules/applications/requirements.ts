import { canonicalJson } from '../../base/canonical-json.ts';
import { DAY_MILLISECONDS } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import { ageOn, calendarDate } from '../../rules/brazilian-calendar.ts';
import { areComparable } from '../../rules/comparable-names.ts';
import type { DecisionPolicy } from '../tenant-settings/index.ts';
import { isWatchList, watchListOf } from '../watch-lists/index.ts';
import { addMilliseconds, type Application, type ApplicationRecord, type Evidence, latest, type Requirement } from './application.ts';
import type { Attestation } from './attestation-store.ts';
import { type Consent, recordInForce } from './consent-store.ts';
import { gapOf, hasOpenMandatoryHit, type NewestScreening } from './screening-coverage.ts';
import { screenedApplicant, type ScreeningEvidence } from './screening-store.ts';
import type { Waiver } from './waiver-store.ts';

type OwnMembers = Pick<ApplicationRecord, 'level' | 'applicant'>;

/** What the newest screening of the applicant, if there is one, confirmed. */
export type Screened = Pick<ScreeningEvidence, 'confirmed'> | null;

/** What belongs to an application, as far as requirements are computed from it. */
export interface Basis {
  readonly documents: readonly Evidence[];
  readonly consents: readonly Pick<Consent, 'action' | 'purpose' | 'capturedAt'>[];
  readonly waivers: readonly Pick<Waiver, 'action' | 'requirementKey'>[];
  readonly attestations: readonly Pick<Attestation, 'requirementKey' | 'outcome' | 'lookedUpAt' | 'subject'>[];
  readonly screening: NewestScreening;
  readonly policy: Pick<DecisionPolicy, 'staleListsBlock' | 'screenedLists'> & { readonly rules: Pick<DecisionPolicy['rules'], 'requiredChecks'> };
}

/** What requirements are computed from. */
interface Assessed extends OwnMembers, Omit<Basis, 'policy'> {
  /** What the policy asks for at the level. */
  readonly checks: readonly string[];
  readonly staleListsBlock: boolean;
  /** Those against which everybody is screened. */
  readonly screenedLists: readonly string[];
  /** YYYY-MM-DD */
  readonly today: string;
}

/** A new application has nothing but its policy. */
export const NOTHING = { documents: [], consents: [], waivers: [], attestations: [], screening: null } as const;

export function assessedOf({ level, applicant }: OwnMembers, { policy: { rules, staleListsBlock, screenedLists }, ...basis }: Basis, today: string): Assessed {
  return { ...basis, level, applicant, checks: rules.requiredChecks[level], staleListsBlock, screenedLists, today };
}

type Outcome = Pick<Requirement, 'status' | 'reasonCode'>;
type Source = components['schemas']['RequirementSource'];

/** What a requirement is: who meets it, and what of theirs. Any one of the members or documents of an applicant will do. */
interface Rule {
  readonly kind: Requirement['kind'];
  /** Whether it is asked for at every level while it is not met, and waived by nobody, whatever the policy says. */
  readonly binds?: (assessed: Assessed) => boolean;
  readonly met: (assessed: Assessed, key: string) => Outcome;
  readonly by: readonly Source[];
}

const member = (pointer: string): Source => ({ kind: 'member', pointer });
/** Cards and licences are printed on two sides; a scan of both in one file is `single`. */
const twoSided = (documentType: Evidence['type']): Source => ({ kind: 'document', documentType, sides: ['front', 'back', 'single'] });
const oneSided = (documentType: Evidence['type']): Source => ({ kind: 'document', documentType, sides: ['single'] });

/** What no provider establishes here: a person looks it up, and attests what it said. */
const ATTESTED: Rule = { kind: 'established', met: attested, by: [{ kind: 'attestation' }] };

/** The one table of what this service can tell of: pages and programs are led to a field or an upload by what stands here. */
const RULES = {
  identity_data: { kind: 'provided', met: ({ applicant }) => data(applicant.dateOfBirth !== null), by: [member('/applicant/dateOfBirth')] },
  // No such name is taken in any more, so it is asked for where one is stored, and nowhere else.
  comparable_name: {
    kind: 'provided',
    met: ({ applicant }) => (areComparable(screenedApplicant(applicant).names) ? PROVIDED : NOT_COMPARABLE),
    by: [member('/applicant/fullName'), member('/applicant/socialName')],
  },
  tax_id_valid: {
    kind: 'provided',
    // Check digits are verified whenever a number is written; of other countries there is nothing to verify it with.
    met: ({ applicant: { taxId } }) => (taxId !== null && taxId.type !== 'other' ? VERIFIED : data(taxId !== null)),
    by: [member('/applicant/taxId')],
  },
  id_document: documents(twoSided('id_card'), twoSided('driver_license'), oneSided('passport'), twoSided('national_migration_card')),
  address: { kind: 'provided', met: ({ applicant }) => data(applicant.address !== null), by: [member('/applicant/address')] },
  proof_of_address: documents(oneSided('proof_of_address')),
  income_declared: { kind: 'provided', met: ({ applicant }) => data(applicant.monthlyIncome !== null), by: [member('/applicant/monthlyIncome')] },
  source_of_funds: { kind: 'provided', met: ({ applicant }) => data(applicant.sourceOfFunds.length > 0), by: [member('/applicant/sourceOfFunds')] },
  legal_bases_recorded: {
    kind: 'established',
    met: ({ consents }) => (recordInForce(consents, 'identity_verification')?.action === 'granted' ? VERIFIED : { status: 'missing', reasonCode: 'legal_basis_missing' }),
    by: [],
  },
  screening_clear: { kind: 'established', met: screeningClear, binds: hasOpenMandatoryHit, by: [] },
  cpf_status_ok: ATTESTED,
  account_protection_clear: ATTESTED,
  adverse_media_clear: ATTESTED,
} satisfies { readonly [key: string]: Rule };

/** The applicant, as the application has them now, was screened against lists that can be relied on, who may be meant on them was looked at, and nobody sanctioned is who they are. */
function screeningClear(assessed: Assessed): Outcome {
  const { screening, staleListsBlock } = assessed;
  if (screening === null) return OPEN;
  if (isProhibited(screening)) return { status: 'failed', reasonCode: CONFIRMED_MATCH };
  if (hasOpenMandatoryHit(assessed)) return { status: 'missing', reasonCode: 'hits_open' };
  const gap = gapOf(assessed);
  if (gap !== null) return { status: 'missing', reasonCode: gap };
  if (staleListsBlock && screening.staleLists.some((listId) => isWatchList(listId) && watchListOf(listId).isMandatory)) return { status: 'missing', reasonCode: 'list_stale' };
  return screening.openHitCount > 0 || screening.truncated ? { status: 'missing', reasonCode: 'hits_open' } : VERIFIED;
}

/** Whether a screening found nobody who is the applicant, and nothing of it is open. */
export function isScreeningClear(assessed: Assessed): boolean {
  return isMet(screeningClear(assessed));
}

/** So long a look-up tells of the person. */
export const ATTESTATION_DAYS = 90;

/** Whether the last day is over, in Brasília, on which a look-up still counts. */
export function isOutdated(lookedUpAt: string, today: string): boolean {
  return calendarDate(addMilliseconds(new Date(lookedUpAt), ATTESTATION_DAYS * DAY_MILLISECONDS)) < today;
}

/** Who was looked up. Whoever says later to be somebody else was not. */
export function attestedPerson({ fullName, socialName, dateOfBirth, taxId }: OwnMembers['applicant']): string {
  return canonicalJson({ fullName, socialName, dateOfBirth, taxId });
}

/** The look-up that was made last counts; one that found something does so until somebody looks it up again. */
function attested({ applicant, attestations, today }: Assessed, key: string): Outcome {
  const last = latest(attestations.filter(({ requirementKey }) => requirementKey === key), ({ lookedUpAt }) => lookedUpAt);
  if (last === undefined) return OPEN;
  if (last.outcome === 'fail') return { status: 'failed', reasonCode: ATTESTED_ADVERSE };
  if (last.subject !== attestedPerson(applicant)) return { status: 'missing', reasonCode: 'attestation_of_other_data' };
  return isOutdated(last.lookedUpAt, today) ? { status: 'missing', reasonCode: 'attestation_outdated' } : VERIFIED;
}

/** Whether a person may look it up and attest it. */
export function isAttestable(key: string): boolean {
  return sourcesOf(key).some(({ kind }) => kind === 'attestation');
}

/** Nobody may do business with somebody who is on a list of sanctions. What other lists say of the applicant is for people to judge. */
export function isProhibited(screening: Screened): boolean {
  return screening?.confirmed.includes('sanction') === true;
}

const CONFIRMED_MATCH = 'confirmed_match';
const ATTESTED_ADVERSE = 'attested_adverse';

/** Whether a requirement holds at every level and is waived by nobody: the applicant is sanctioned or was found to be barred, or may be and nobody has decided. */
export function isBinding(assessed: Assessed, key: string): boolean {
  const { met, binds } = ruleOf(key);
  const { reasonCode } = met(assessed, key);
  return reasonCode === CONFIRMED_MATCH || reasonCode === ATTESTED_ADVERSE || binds?.(assessed) === true;
}

/** What a policy may ask for that this service cannot establish yet: a person does, and waives it. */
const NOT_ESTABLISHED: Rule = { kind: 'established', met: () => OPEN, by: [] };

function ruleOf(key: string): Rule {
  return isKnown(key) ? RULES[key as keyof typeof RULES] : NOT_ESTABLISHED;
}

/** Whether this service can tell of a requirement, asked for or not. */
export function isKnown(key: string): boolean {
  return Object.hasOwn(RULES, key);
}

/** The identification of the person is for no policy to leave out and for nobody to waive (Circular BCB 3.978/2020, art. 16). */
export const IDENTIFICATION = ['identity_data', 'tax_id_valid', 'comparable_name'] as const;
/** What is asked of nobody who meets it. */
const WHERE_UNMET: readonly string[] = ['comparable_name'];

export function requirementsOf(assessed: Assessed): Application['requirements'] {
  // What speaks against the person needs no policy that asks for it.
  const found = Object.keys(RULES).filter((key) => isBinding(assessed, key));
  const items = [...new Set<string>([...IDENTIFICATION, ...assessed.checks, ...found])].map((key) => requirement(key, assessed)).filter((item) => !WHERE_UNMET.includes(item.key) || !isMet(item));
  return { met: items.every((item) => item.kind !== 'provided' || isMet(item)), items };
}

function requirement(key: string, assessed: Assessed): Requirement {
  const { kind, met, by } = ruleOf(key);
  const found = met(assessed, key);
  const outcome: Outcome = !isMet(found) && !isBinding(assessed, key) && isWaived(assessed.waivers, key) ? { status: 'waived', reasonCode: null } : found;
  const satisfiedBy = by.map((source) => ({ ...source }));
  return { key, kind, ...outcome, alternatives: isMet(outcome) ? [] : typesOf(by), satisfiedBy };
}

/** Whether the newest record of the requirement grants a waiver. */
export function isWaived(newestFirst: Basis['waivers'], key: string): boolean {
  return newestFirst.find(({ requirementKey }) => requirementKey === key)?.action === 'granted';
}

/** Those that are not met. */
export function openRequirements(assessed: Assessed): Requirement[] {
  return requirementsOf(assessed).items.filter((item) => !isMet(item));
}

/** What a submission asks for beyond the status: the age that the tenant accepts and everything that the applicant must provide. */
export function assertSubmittable(assessed: Assessed, minimumAge: number): void {
  const { dateOfBirth } = assessed.applicant;
  if (dateOfBirth !== null && ageOn(assessed.today, dateOfBirth) < minimumAge) {
    throw new Problem('underage_applicant', {
      errors: [{ pointer: '/applicant/dateOfBirth', code: 'underage', message: `the applicant must be at least ${minimumAge} years old` }],
    });
  }
  // What others establish is for the decision.
  const open = openRequirements(assessed).filter(({ kind }) => kind === 'provided');
  if (open.length > 0) throw missingProblem(open);
}

export function unknownRequirement(): Problem {
  return new Problem('unknown_requirement', { errors: [{ pointer: '/requirementKey', code: 'unknown', message: 'must be a requirement of the application' }] });
}

export function missingProblem(open: Requirement[]): Problem {
  return new Problem('requirements_missing', { items: open, errors: open.map(missingAt) });
}

/** What meets a requirement, by its key. */
export function sourcesOf(key: string): readonly Source[] {
  return ruleOf(key).by;
}

/** Where a form or a program has to go: the member, or the documents. */
function missingAt({ reasonCode, satisfiedBy }: Requirement): FieldError {
  if (reasonCode === NOT_COMPARABLE.reasonCode) return { pointer: '/applicant/fullName', code: 'not_screenable', message: 'must have letters, as a social name must' };
  const pointer = satisfiedBy.find(({ kind }) => kind === 'member')?.pointer;
  if (pointer !== undefined) return { pointer, code: 'required', message: 'is required at this level' };
  const begin = reasonCode === 'document_expired' ? 'is past its date; needs one of' : 'needs one of';
  return { pointer: '/documents', code: reasonCode ?? 'required', message: `${begin}: ${typesOf(satisfiedBy).join(', ')}` };
}

function typesOf(sources: readonly Source[]): string[] {
  return sources.flatMap(({ documentType = [] }) => documentType);
}

export function isMet({ status }: Pick<Requirement, 'status'>): boolean {
  return status !== 'missing' && status !== 'failed';
}

const OPEN: Outcome = { status: 'missing', reasonCode: 'not_established' };
/** A name that is compared with no list, so that a screening of it says nothing. */
const NOT_COMPARABLE: Outcome = { status: 'missing', reasonCode: 'name_not_comparable' };
const PROVIDED: Outcome = { status: 'provided', reasonCode: null };
const VERIFIED: Outcome = { status: 'verified', reasonCode: null };

function data(present: boolean): Outcome {
  return present ? PROVIDED : { status: 'missing', reasonCode: 'data_missing' };
}

/** Met by one document of these types that is neither refused nor replaced nor past its date. */
function documents(...by: readonly Source[]): Rule {
  const types = typesOf(by);
  return {
    kind: 'provided',
    by,
    met: ({ documents: evidence, today }) => {
      const current = evidence.filter(({ type, status }) => types.includes(type) && (status === 'uploaded' || status === 'accepted'));
      const valid = current.filter(({ expiresOn }) => expiresOn === null || expiresOn >= today);
      if (valid.length > 0) return valid.some(({ status }) => status === 'accepted') ? VERIFIED : PROVIDED;
      return current.length > 0 ? { status: 'failed', reasonCode: 'document_expired' } : { status: 'missing', reasonCode: 'document_missing' };
    },
  };
}
