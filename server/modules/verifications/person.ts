/**
 * What an application states about its applicant, as providers see it. Used when a verification is started and when it
 * runs. Providers get nothing else about the applicant.
 */
import type { StatedPerson } from '../../verification/document.ts';
import type { StatedAddress } from '../../verification/proof-of-address.ts';
import type { ApplicationRecord } from '../applications/index.ts';

/** Returns what an application states about its applicant, as far as a verification compares it. */
export function statedPerson({ applicant }: Pick<ApplicationRecord, 'applicant'>): StatedPerson {
  const { fullName, dateOfBirth, taxId } = applicant;
  return { fullName, dateOfBirth, cpf: taxId?.type === 'cpf' ? taxId.value : null };
}

/** Returns the address that an application states, as far as a proof of address shows it. */
export function statedAddress({ applicant: { address } }: Pick<ApplicationRecord, 'applicant'>): StatedAddress | null {
  if (address === null) return null;
  const { line1, number, postalCode } = address;
  return { line1, number, postalCode };
}
