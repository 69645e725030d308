import { Problem } from '../../contract/problem.ts';
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

type Rule = (assessed: Assessed) => Omit<Requirement, 'key'>;

const IDENTITY_DOCUMENTS = ['id_card', 'driver_license', 'passport', 'national_migration_card'] as const;

const RULES = {
  identity_data: ({ applicant }) => data(applicant.dateOfBirth !== null),
  // Check digits are verified whenever a number is written; of other countries there is nothing to verify it with.
  tax_id_valid: ({ applicant: { taxId } }) => (taxId !== null && taxId.type !== 'other' ? met('verified') : data(taxId !== null)),
  id_document: (assessed) => document(assessed, IDENTITY_DOCUMENTS),
  address: ({ applicant }) => data(applicant.address !== null),
  proof_of_address: (assessed) => document(assessed, ['proof_of_address']),
  income_declared: ({ applicant }) => data(applicant.monthlyIncome !== null),
  source_of_funds: ({ applicant }) => data(applicant.sourceOfFunds.length > 0),
} satisfies Record<string, Rule>;

type Key = keyof typeof RULES;
const basic: readonly Key[] = ['identity_data', 'tax_id_valid'];
const standard: readonly Key[] = [...basic, 'id_document', 'address'];
const enhanced: readonly Key[] = [...standard, 'proof_of_address', 'income_declared', 'source_of_funds'];
const SETS: Readonly<Record<DiligenceLevel, readonly Key[]>> = { basic, standard, enhanced };

export function requirementsOf(assessed: Assessed): Application['requirements'] {
  const items = SETS[assessed.level].map((key) => ({ key, ...RULES[key](assessed) }));
  return { met: items.every(isMet), items };
}

/** What a submission asks for beyond the status: the age that the tenant accepts and everything that the level requires. */
export function assertSubmittable(assessed: Assessed, minimumAge: number): void {
  const { dateOfBirth } = assessed.applicant;
  if (dateOfBirth !== null && ageOn(assessed.today, dateOfBirth) < minimumAge) {
    throw new Problem('underage_applicant', {
      errors: [{ pointer: '/applicant/dateOfBirth', code: 'underage', message: `the applicant must be at least ${minimumAge} years old` }],
    });
  }
  const { items } = requirementsOf(assessed);
  const open = items.filter((item) => !isMet(item));
  if (open.length > 0) throw new Problem('requirements_missing', { items: open });
}

function isMet({ status }: Requirement): boolean {
  return status !== 'missing' && status !== 'failed';
}

function met(status: 'provided' | 'verified'): ReturnType<Rule> {
  return { status, reasonCode: null, alternatives: [] };
}

function data(present: boolean): ReturnType<Rule> {
  return present ? met('provided') : { status: 'missing', reasonCode: 'data_missing', alternatives: [] };
}

/** Met by one document of these types that is neither refused nor replaced nor past its date. */
function document({ evidence, today }: Assessed, types: readonly Evidence['type'][]): ReturnType<Rule> {
  const standing = evidence.filter(({ type, status }) => types.includes(type) && (status === 'uploaded' || status === 'accepted'));
  const valid = standing.filter(({ expiresOn }) => expiresOn === null || expiresOn >= today);
  if (valid.length > 0) return met(valid.some(({ status }) => status === 'accepted') ? 'verified' : 'provided');
  return standing.length > 0
    ? { status: 'failed', reasonCode: 'document_expired', alternatives: [...types] }
    : { status: 'missing', reasonCode: 'document_missing', alternatives: [...types] };
}
