import type { StatedPerson } from '../../verification/document.ts';
import type { ApplicationRecord } from '../applications/index.ts';

/** Returns what an application states about its applicant, as far as a verification compares it. */
export function statedPerson({ applicant }: Pick<ApplicationRecord, 'applicant'>): StatedPerson {
  const { fullName, dateOfBirth, taxId } = applicant;
  return { fullName, dateOfBirth, cpf: taxId?.type === 'cpf' ? taxId.value : null };
}
