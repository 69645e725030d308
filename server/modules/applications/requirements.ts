import type { components } from '../../contract/generated/types.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import { ageOn } from '../../rules/brazilian-calendar.ts';
import type { Applicant, Application, DiligenceLevel, Evidence, Requirement } from './application.ts';

/** What requirements are computed from. */
export interface Assessed {
  readonly level: DiligenceLevel;
  readonly applicant: Applicant;
  readonly evidence: readonly Evidence[];
  /** YYYY-MM-DD */
  readonly today: string;
}

type Outcome = Pick<Requirement, 'status' | 'reasonCode'>;
type Source = components['schemas']['RequirementSource'];

/** What a requirement is, and what meets it: any one of its members or documents. */
interface Rule {
  readonly met: (assessed: Assessed) => Outcome;
  readonly by: readonly Source[];
}

const member = (pointer: string): Source => ({ kind: 'member', pointer });
/** Cards and licences are printed on two sides; a scan of both in one file is `single`. */
const twoSided = (documentType: Evidence['type']): Source => ({ kind: 'document', documentType, sides: ['front', 'back', 'single'] });
const oneSided = (documentType: Evidence['type']): Source => ({ kind: 'document', documentType, sides: ['single'] });

/** The one table of what a level may ask for: pages and programs are led to a field or an upload by what stands here. */
const RULES = {
  identity_data: { met: ({ applicant }) => data(applicant.dateOfBirth !== null), by: [member('/applicant/dateOfBirth')] },
  tax_id_valid: {
    // Check digits are verified whenever a number is written; of other countries there is nothing to verify it with.
    met: ({ applicant: { taxId } }) => (taxId !== null && taxId.type !== 'other' ? VERIFIED : data(taxId !== null)),
    by: [member('/applicant/taxId')],
  },
  id_document: documents(twoSided('id_card'), twoSided('driver_license'), oneSided('passport'), twoSided('national_migration_card')),
  address: { met: ({ applicant }) => data(applicant.address !== null), by: [member('/applicant/address')] },
  proof_of_address: documents(oneSided('proof_of_address')),
  income_declared: { met: ({ applicant }) => data(applicant.monthlyIncome !== null), by: [member('/applicant/monthlyIncome')] },
  source_of_funds: { met: ({ applicant }) => data(applicant.sourceOfFunds.length > 0), by: [member('/applicant/sourceOfFunds')] },
} satisfies Record<string, Rule>;

type Key = keyof typeof RULES;
const basic: readonly Key[] = ['identity_data', 'tax_id_valid'];
const standard: readonly Key[] = [...basic, 'id_document', 'address'];
const enhanced: readonly Key[] = [...standard, 'proof_of_address', 'income_declared', 'source_of_funds'];
const SETS: Readonly<Record<DiligenceLevel, readonly Key[]>> = { basic, standard, enhanced };

export function requirementsOf(assessed: Assessed): Application['requirements'] {
  const items = SETS[assessed.level].map((key) => requirement(key, RULES[key], assessed));
  return { met: items.every(isMet), items };
}

function requirement(key: Key, { met, by }: Rule, assessed: Assessed): Requirement {
  const outcome = met(assessed);
  const satisfiedBy = by.map((source) => ({ ...source }));
  return { key, ...outcome, alternatives: isMet(outcome) ? [] : typesOf(by), satisfiedBy };
}

/** Those that are not met. */
export function openRequirements(assessed: Assessed): Requirement[] {
  return requirementsOf(assessed).items.filter((item) => !isMet(item));
}

/** What a submission asks for beyond the status: the age that the tenant accepts and everything that the level requires. */
export function assertSubmittable(assessed: Assessed, minimumAge: number): void {
  const { dateOfBirth } = assessed.applicant;
  if (dateOfBirth !== null && ageOn(assessed.today, dateOfBirth) < minimumAge) {
    throw new Problem('underage_applicant', {
      errors: [{ pointer: '/applicant/dateOfBirth', code: 'underage', message: `the applicant must be at least ${minimumAge} years old` }],
    });
  }
  const open = openRequirements(assessed);
  if (open.length > 0) throw missingProblem(open);
}

export function missingProblem(open: Requirement[]): Problem {
  return new Problem('requirements_missing', { items: open, errors: open.map(missingAt) });
}

/** What meets a requirement, by its key. */
export function sourcesOf(key: string): readonly Source[] {
  return Object.hasOwn(RULES, key) ? RULES[key as Key].by : [];
}

/** Where a form or a program has to go: the member, or the documents. */
function missingAt({ reasonCode, satisfiedBy }: Requirement): FieldError {
  const pointer = satisfiedBy.find(({ kind }) => kind === 'member')?.pointer;
  if (pointer !== undefined) return { pointer, code: 'required', message: 'is required at this level' };
  const begin = reasonCode === 'document_expired' ? 'is past its date; needs one of' : 'needs one of';
  return { pointer: '/documents', code: reasonCode ?? 'required', message: `${begin}: ${typesOf(satisfiedBy).join(', ')}` };
}

function typesOf(sources: readonly Source[]): string[] {
  return sources.flatMap(({ documentType = [] }) => documentType);
}

function isMet({ status }: Outcome): boolean {
  return status !== 'missing' && status !== 'failed';
}

const PROVIDED: Outcome = { status: 'provided', reasonCode: null };
const VERIFIED: Outcome = { status: 'verified', reasonCode: null };

function data(present: boolean): Outcome {
  return present ? PROVIDED : { status: 'missing', reasonCode: 'data_missing' };
}

/** Met by one document of these types that is neither refused nor replaced nor past its date. */
function documents(...by: readonly Source[]): Rule {
  const types = typesOf(by);
  return {
    by,
    met: ({ evidence, today }) => {
      const standing = evidence.filter(({ type, status }) => types.includes(type) && (status === 'uploaded' || status === 'accepted'));
      const valid = standing.filter(({ expiresOn }) => expiresOn === null || expiresOn >= today);
      if (valid.length > 0) return valid.some(({ status }) => status === 'accepted') ? VERIFIED : PROVIDED;
      return standing.length > 0 ? { status: 'failed', reasonCode: 'document_expired' } : { status: 'missing', reasonCode: 'document_missing' };
    },
  };
}
