import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/principal.ts';
import { Problem, type FieldError } from '../../http/problem.ts';
import type { Applicant } from './application.ts';
import { recordAddress } from './br-address.ts';
import { mergePatch } from './merge-patch.ts';
import { recordTaxId } from './tax-id.ts';

type Schemas = components['schemas'];

const EARLIEST_BIRTH = '1900-01-01';

/** Where and when the person is recorded. */
export interface Recording {
  readonly environment: Environment;
  /** YYYY-MM-DD */
  readonly today: string;
}

/** The person in the form that is kept: every member present, numbers without punctuation. All faults at once. */
export function recordApplicant(given: Schemas['ApplicantCreate'], { environment, today }: Recording): Applicant {
  const faults: FieldError[] = [];
  const taxFaults: FieldError[] = [];
  const { dateOfBirth = null, taxId = null, address = null } = given;
  if (dateOfBirth !== null) faults.push(...birthFaults(dateOfBirth, today));
  const applicant: Applicant = {
    fullName: given.fullName,
    socialName: given.socialName ?? null,
    motherName: given.motherName ?? null,
    dateOfBirth,
    nationality: given.nationality ?? null,
    countryOfBirth: given.countryOfBirth ?? null,
    taxId: taxId === null ? null : recordTaxId(taxId, environment, taxFaults),
    email: given.email ?? null,
    phone: given.phone ?? null,
    address: address === null ? null : recordAddress(address, faults),
    occupation: given.occupation ?? null,
    monthlyIncome: given.monthlyIncome ?? null,
    sourceOfFunds: given.sourceOfFunds ?? [],
    pepDeclaration: given.pepDeclaration ?? null,
    taxResidencies: given.taxResidencies ?? [],
    residentAbroad: given.residentAbroad ?? false,
  };
  if (faults.length > 0) throw new Problem('validation_failed', { errors: [...faults, ...taxFaults] });
  if (taxFaults.length > 0) throw new Problem('invalid_tax_id', { errors: taxFaults });
  return applicant;
}

/** When `today` is null, only dates are reported that would be wrong on any day. */
export function birthFaults(dateOfBirth: string, today: string | null): FieldError[] {
  const isPossible = dateOfBirth >= EARLIEST_BIRTH && (today === null || dateOfBirth <= today);
  return isPossible ? [] : [{ pointer: '/applicant/dateOfBirth', code: 'range', message: `must be from ${EARLIEST_BIRTH} to today` }];
}

/** Merges first and checks then, because a patch may be right only together with what is there. */
export function patchApplicant(kept: Applicant, patch: Schemas['ApplicantUpdate'], recording: Recording): Applicant {
  return recordApplicant(mergePatch(kept, patch) as Schemas['ApplicantCreate'], recording);
}
