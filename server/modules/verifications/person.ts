/**
 * What an application states about its applicant, as providers see it. Used when a verification is started and when it
 * runs. Providers get nothing else about the applicant.
 */
import type { StatedPerson } from '../../verification/document.ts';
import type { ApplicationRecord } from '../applications/index.ts';

/** Returns what an application states about its applicant, as far as a verification compares it. */
export function statedPerson({ applicant }: Pick<ApplicationRecord, 'applicant'>): StatedPerson {
  const { fullName, dateOfBirth, taxId } = applicant;
  return { fullName, dateOfBirth, cpf: taxId?.type === 'cpf' ? taxId.value : null };
}
