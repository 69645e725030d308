/**
 * Signals for reviewers, without input or output: another application with the same tax number and other data, and a
 * missing screening. Used by decisions and by the presentation. A conflict demands a second review. Masked readers must
 * not see signals, because they could find out a date of birth by trying.
 */
import { isDeepStrictEqual } from 'node:util';
import type { HeldEvidence } from '../evidence/evidence.ts';
import { isScreened } from '../evidence/screening-coverage.ts';
import type { Applicant, ApplicationRecord } from '../record/application.ts';

/** Tax number and date of birth that an application states for its applicant. */
export type Claim = Pick<Applicant, 'taxId' | 'dateOfBirth'>;

/**
 * Signal: another application has the same tax number and another date of birth, so that one of the two applicants is
 * not who they claim to be.
 */
export const IDENTITY_CONFLICT = 'identity_conflict';

/** Signal: no screening covers the current data of the applicant. */
export const NOT_SCREENED = 'not_screened';

/**
 * Lists what the reviewer should know before the decision: conflicts with other applications, and a missing screening.
 * A draft has no signals, because nobody has submitted its data yet.
 */
export function signalsOf(
  record: Pick<ApplicationRecord, 'submittedAt' | 'applicant'>,
  contents: Pick<HeldEvidence, 'policy' | 'screening'> & { readonly others: readonly Claim[] },
): string[] {
  return [
    ...conflictsOf(record, contents.others),
    ...(record.submittedAt !== null && !isScreened(record, contents) ? [NOT_SCREENED] : []),
  ];
}

/**
 * Lists the conflicts with other applications. A conflict requires a second review, whatever the policy and the
 * outcome.
 */
export function conflictsOf(
  {
    submittedAt,
    applicant: { taxId, dateOfBirth },
  }: Pick<ApplicationRecord, 'submittedAt'> & { readonly applicant: Claim },
  others: readonly Claim[],
): string[] {
  if (submittedAt === null || taxId === null || dateOfBirth === null) return [];
  // The index that finds the other applications covers only the number. Equal numbers of two countries are two people.
  const isConflicting = (other: Claim): boolean =>
    isDeepStrictEqual(other.taxId, taxId) && other.dateOfBirth !== null && other.dateOfBirth !== dateOfBirth;
  return others.some(isConflicting) ? [IDENTITY_CONFLICT] : [];
}
