import type { components } from '../../contract/generated/types.ts';
import type { Body } from '../../contract/operation-types.ts';
import type { Environment } from '../../contract/operation.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import type { ValidPart } from '../../request/handler.ts';
import { addressFaults, recordAddress } from '../../rules/address.ts';
import { mergePatch } from '../../rules/merge-patch.ts';
import { recordTaxId, taxIdFaults } from '../../rules/tax-id.ts';
import type { Applicant, Metadata } from './application.ts';

const RESERVED = 'sandbox';
/** The mark of the sandbox counts, because the answer must keep to the same limit. */
const MAX_KEYS = 20;

function reservedKeys(given: object): FieldError[] {
  return Object.hasOwn(given, RESERVED) ? [{ pointer: `/metadata/${RESERVED}`, code: 'reserved', message: 'is set by the service' }] : [];
}

/** The metadata as it is kept: in the sandbox with the mark that only the service may set. */
export function recordMetadata(given: components['schemas']['MetadataUpdate'], environment: Environment, kept: Metadata = {}): Metadata {
  const reserved = reservedKeys(given);
  if (reserved.length > 0) throw new Problem('reserved_metadata_key', { errors: reserved });
  const merged = mergePatch(kept, given) as Metadata;
  const metadata = environment === 'sandbox' ? { ...merged, [RESERVED]: true } : merged;
  if (Object.keys(metadata).length > MAX_KEYS) {
    throw new Problem('validation_failed', {
      errors: [{ pointer: '/metadata', code: 'too_many_members', message: 'must have at most 20 members, of which the sandbox takes one' }],
    });
  }
  return metadata;
}

type Schemas = components['schemas'];

/** Where and when the person is recorded. */
interface Recording {
  readonly environment: Environment;
  /** YYYY-MM-DD */
  readonly today: string;
}

/** The person in the form that is kept: every member present, numbers without punctuation. All faults at once. */
export function recordApplicant(given: Schemas['ApplicantCreate'], { environment, today }: Recording): Applicant {
  const faults: FieldError[] = [];
  const taxFaults: FieldError[] = [];
  const { dateOfBirth = null, taxId = null, address = null } = given;
  if (dateOfBirth !== null && dateOfBirth > today) faults.push({ pointer: '/applicant/dateOfBirth', code: 'range', message: 'must not be after today' });
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

/** Merges first and checks then, because a patch may be right only together with what is there. */
export function patchApplicant(kept: Applicant, patch: Schemas['ApplicantUpdate'], recording: Recording): Applicant {
  return recordApplicant(mergePatch(kept, patch) as Schemas['ApplicantCreate'], recording);
}

/** The rules that a body alone can break: none of them depends on the environment, the time or the stored record. */
export function applicationBodyFaults({ applicant, metadata }: ValidPart<Body<'createApplication'> | Body<'updateApplication'>>): FieldError[] {
  const { taxId, address } = applicant ?? {};
  return [
    // The sandbox accepts what live accepts, and its personas.
    ...(taxId?.type == null || taxId.value == null ? [] : taxIdFaults({ type: taxId.type, value: taxId.value, country: taxId.country ?? undefined }, 'sandbox')),
    ...(address?.country == null ? [] : addressFaults({ country: address.country, state: address.state ?? null, postalCode: address.postalCode ?? null })),
    ...(metadata == null ? [] : reservedKeys(metadata)),
  ];
}
