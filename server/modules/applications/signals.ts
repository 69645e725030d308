import { isDeepStrictEqual } from 'node:util';
import type { Applicant, ApplicationRecord } from './application.ts';
import type { HeldEvidence } from './evidence.ts';
import { isScreened } from './screening-coverage.ts';

/** What another application says of a person. */
export type Claim = Pick<Applicant, 'taxId' | 'dateOfBirth'>;

/** Somebody has applied under the same tax number who says to be born on another day: one of the two is not who they say. */
export const IDENTITY_CONFLICT = 'identity_conflict';

/** No screening covers the applicant as they are now. */
export const NOT_SCREENED = 'not_screened';

/** What is noticed about an application, and what was not done, told before the decision. Nobody has stated yet what is in a draft, so it has none. */
export function signalsOf(record: Pick<ApplicationRecord, 'submittedAt' | 'applicant'>, contents: Pick<HeldEvidence, 'policy' | 'screening'> & { readonly others: readonly Claim[] }): string[] {
  return [...conflictsOf(record, contents.others), ...record.submittedAt !== null && !isScreened(record, contents) ? [NOT_SCREENED] : []];
}

/** What is noticed about an application beside others. It asks for a second person, whatever the policy and the outcome. */
export function conflictsOf({ submittedAt, applicant: { taxId, dateOfBirth } }: Pick<ApplicationRecord, 'submittedAt'> & { readonly applicant: Claim }, others: readonly Claim[]): string[] {
  if (submittedAt === null || taxId === null || dateOfBirth === null) return [];
  // The index that finds them knows numbers only: equal ones of two countries are two people.
  const isConflicting = (other: Claim): boolean => isDeepStrictEqual(other.taxId, taxId) && other.dateOfBirth !== null && other.dateOfBirth !== dateOfBirth;
  return others.some(isConflicting) ? [IDENTITY_CONFLICT] : [];
}
