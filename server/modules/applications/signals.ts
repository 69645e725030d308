import { isDeepStrictEqual } from 'node:util';
import type { Applicant, ApplicationRecord } from './application.ts';

/** What another application says of a person. */
export type Claim = Pick<Applicant, 'taxId' | 'dateOfBirth'>;

/** Somebody has applied under the same tax number who says to be born on another day: one of the two is not who they say. */
export const IDENTITY_CONFLICT = 'identity_conflict';

/**
 * What is noticed about an application beside others: each is told before the decision, and asks for a second person, whatever the policy. Nobody has stated yet what is in a
 * draft, so it has none.
 */
export function signalsOf({ submittedAt, applicant: { taxId, dateOfBirth } }: Pick<ApplicationRecord, 'submittedAt'> & { readonly applicant: Claim }, others: readonly Claim[]): string[] {
  if (submittedAt === null || taxId === null || dateOfBirth === null) return [];
  // The index that finds them knows numbers only: equal ones of two countries are two people.
  const isConflicting = (other: Claim): boolean => isDeepStrictEqual(other.taxId, taxId) && other.dateOfBirth !== null && other.dateOfBirth !== dateOfBirth;
  return others.some(isConflicting) ? [IDENTITY_CONFLICT] : [];
}
