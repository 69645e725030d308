/**
 * Computes which requirements an application meets, from its stored records. Used by submission, decisions,
 * presentation and lists; nothing stores the result. Identification can neither be omitted by a policy nor waived.
 * Submission is refused with the list of what is missing (`requirements_missing`).
 */
import { type FieldError, Problem } from '../../../contract/problem.ts';
import { ageOn } from '../../../rules/brazilian-calendar.ts';
import { isMet, listedRequirement, missingDocument } from '../../decisions/index.ts';
import { type Application, type Requirement } from '../record/application.ts';
import { RULES, type Assessed, isBinding, ruleOf, NOT_COMPARABLE } from './requirement-rules.ts';

/**
 * Requirements that identify the person. No policy can omit and nobody can waive them (Circular BCB 3.978/2020, art.
 * 16).
 */
export const IDENTIFICATION = ['identity_data', 'tax_id_valid', 'comparable_name'] as const;
/** Requirements that are listed only while they are not met. */
const LISTED_IF_UNMET: readonly string[] = ['comparable_name'];

export function requirementsOf(assessed: Assessed): Application['requirements'] {
  // Adverse findings count even if the policy does not list them.
  const found = Object.keys(RULES).filter((key) => isBinding(assessed, key));
  const items = [...new Set<string>([...IDENTIFICATION, ...assessed.checks, ...found])]
    .map((key) => requirement(key, assessed))
    .filter((item) => !LISTED_IF_UNMET.includes(item.key) || !isMet(item));
  return { met: items.every((item) => item.kind !== 'provided' || isMet(item)), items };
}

function requirement(key: string, assessed: Assessed): Requirement {
  const rule = ruleOf(key);
  return listedRequirement(key, rule, rule.met(assessed, key), {
    binds: isBinding(assessed, key),
    waivers: assessed.waivers,
  });
}

/** Returns the requirements that are not met. */
export function openRequirements(assessed: Assessed): Requirement[] {
  return requirementsOf(assessed).items.filter((item) => !isMet(item));
}

/** Rejects a submission if the applicant is younger than the tenant accepts, or has not provided a requirement. */
export function assertSubmittable(assessed: Assessed, minimumAge: number): void {
  const { dateOfBirth } = assessed.applicant;
  if (dateOfBirth !== null && ageOn(assessed.today, dateOfBirth) < minimumAge) {
    throw new Problem('underage_applicant', {
      errors: [
        {
          pointer: '/applicant/dateOfBirth',
          code: 'underage',
          message: `the applicant must be at least ${minimumAge} years old`,
        },
      ],
    });
  }
  // Requirements of the kind `established` are checked when deciding, not here.
  const open = openRequirements(assessed).filter(({ kind }) => kind === 'provided');
  if (open.length > 0) throw missingProblem(open);
}

export function missingProblem(open: Requirement[]): Problem {
  return new Problem('requirements_missing', { items: open, errors: open.map(missingAt) });
}

/** Returns the fault of an unmet requirement, which points a form or a program at the member or at the documents. */
function missingAt(requirement: Requirement): FieldError {
  const { reasonCode, satisfiedBy } = requirement;
  if (reasonCode === NOT_COMPARABLE.reasonCode)
    return {
      pointer: '/applicant/fullName',
      code: 'not_screenable',
      message: 'must have letters, as a social name must',
    };
  const pointer = satisfiedBy.find(({ kind }) => kind === 'member')?.pointer;
  return pointer === undefined
    ? missingDocument(requirement)
    : { pointer, code: 'required', message: 'is required at this level' };
}
