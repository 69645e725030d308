/**
 * Rules of the applicant and the metadata in an application, without input or output: normalising, validating, merging
 * patches. Used by creation and changes. Reports all faults at once; invalid tax numbers have a problem of their own. A
 * patch is validated in its result, because it may fit only together with the stored members.
 */
import type { components } from '../../../contract/generated/types.ts';
import type { Body } from '../../../contract/operation-types.ts';
import type { Environment } from '../../../contract/operation.ts';
import { type FieldError, Problem } from '../../../contract/problem.ts';
import type { ValidPart } from '../../../request/handler.ts';
import { addressFaults, recordAddress } from '../../../rules/address.ts';
import { assertComparable } from '../../../rules/comparable-names.ts';
import { mergePatch, withoutNulls } from '../../../rules/merge-patch.ts';
import { recordTaxId, taxIdFaults } from '../../../rules/tax-id.ts';
import type { Applicant, Metadata } from './application.ts';

const RESERVED = 'sandbox';
/** Highest number of members, including the mark of the sandbox, because responses must keep to the same limit. */
const MAX_KEYS = 20;

function reservedKeys(input: object): FieldError[] {
  return Object.hasOwn(input, RESERVED)
    ? [{ pointer: `/metadata/${RESERVED}`, code: 'reserved', message: 'is set by the service' }]
    : [];
}

/** Returns the metadata to store: in the sandbox with the mark that only the service may set. */
export function recordMetadata(
  input: components['schemas']['MetadataUpdate'],
  environment: Environment,
  stored: Metadata = {},
): Metadata {
  const reserved = reservedKeys(input);
  if (reserved.length > 0) throw new Problem('reserved_metadata_key', { errors: reserved });
  const merged = mergePatch(stored, input) as Metadata;
  const metadata = environment === 'sandbox' ? { ...merged, [RESERVED]: true } : merged;
  if (Object.keys(metadata).length > MAX_KEYS) {
    throw new Problem('validation_failed', {
      errors: [
        {
          pointer: '/metadata',
          code: 'too_many_members',
          message: 'must have at most 20 members, of which the sandbox takes one',
        },
      ],
    });
  }
  return metadata;
}

type Schemas = components['schemas'];

/** Environment and date of the record. */
interface Recording {
  readonly environment: Environment;
  /** YYYY-MM-DD */
  readonly today: string;
}

/**
 * Returns the applicant in stored form: all members present, numbers without punctuation. Throws with all faults at
 * once.
 */
export function recordApplicant(input: Schemas['ApplicantCreate'], { environment, today }: Recording): Applicant {
  const faults: FieldError[] = [];
  const taxFaults: FieldError[] = [];
  const { dateOfBirth = null, taxId = null, address = null } = input;
  if (dateOfBirth !== null && dateOfBirth > today)
    faults.push({ pointer: '/applicant/dateOfBirth', code: 'range', message: 'must not be after today' });
  const applicant: Applicant = {
    fullName: input.fullName,
    socialName: input.socialName ?? null,
    motherName: input.motherName ?? null,
    dateOfBirth,
    nationality: input.nationality ?? null,
    countryOfBirth: input.countryOfBirth ?? null,
    taxId: taxId === null ? null : recordTaxId(taxId, environment, taxFaults),
    email: input.email ?? null,
    phone: input.phone ?? null,
    address: address === null ? null : recordAddress(address, faults),
    occupation: input.occupation ?? null,
    monthlyIncome: input.monthlyIncome ?? null,
    sourceOfFunds: input.sourceOfFunds ?? [],
    pepDeclaration: input.pepDeclaration ?? null,
    taxResidencies: input.taxResidencies ?? [],
    residentAbroad: input.residentAbroad ?? false,
  };
  if (faults.length > 0) throw new Problem('validation_failed', { errors: [...faults, ...taxFaults] });
  if (taxFaults.length > 0) throw new Problem('invalid_tax_id', { errors: taxFaults });
  const { fullName, socialName } = applicant;
  assertComparable([
    { pointer: '/applicant/fullName', name: fullName },
    ...(socialName === null ? [] : [{ pointer: '/applicant/socialName', name: socialName }]),
  ]);
  return applicant;
}

/**
 * Returns the applicant of a renewal. Each member in the request is complete, as on creation, and replaces the stored
 * one.
 */
export function renewedApplicant(
  stored: Applicant,
  input: Schemas['ApplicantCreate'],
  recording: Recording,
): Applicant {
  return recordApplicant({ ...requestForm(stored), ...input }, recording);
}

/** Validates the result of a merge patch against the contract (`resultFaults` of a handler). */
type ResultFaults = (result: object) => readonly FieldError[];

/**
 * Merges the patch (RFC 7396) and validates the result, because a patch may be valid only together with the stored
 * members.
 */
export function patchApplicant(
  stored: Applicant,
  patch: Schemas['ApplicantUpdate'],
  { resultFaults, ...recording }: Recording & { readonly resultFaults: ResultFaults },
): Applicant {
  const before = requestForm(stored, patch.taxId?.type);
  const applicant = mergePatch(before, patch) as Schemas['ApplicantCreate'];
  const errors = [...resultFaults({ applicant }), ...staleFaults(before, patch, applicant)];
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
  return recordApplicant(applicant, recording);
}

/**
 * Returns a stored applicant in the form of a request, without absent members. The country of the tax number remains
 * only if its type is and stays `other`: a CPF implies its country, and a number of a new type is of another country.
 */
function requestForm({ taxId, ...stored }: Applicant, kind?: Schemas['TaxIdType'] | null): Schemas['ApplicantCreate'] {
  const hasCountry = taxId?.type === 'other' && (kind == null || kind === 'other');
  return withoutNulls({
    ...stored,
    taxId: hasCountry ? taxId : taxId && { ...taxId, country: null },
  }) as Schemas['ApplicantCreate'];
}

type Compound = Readonly<Record<string, unknown>>;

/** Members that change their meaning if another member of the same object changes. */
const DEPENDENT = {
  address: { on: 'country', members: ['state', 'postalCode'] },
  taxId: { on: 'type', members: ['value'] },
  pepDeclaration: { on: 'isPep', members: ['role', 'relationship', 'since', 'until'] },
} as const;

/**
 * Rejects a patch that changes a member without sending or removing the members that depend on it: a state of Brazil,
 * for example, is not a state of Portugal.
 */
function staleFaults(
  before: Partial<Schemas['ApplicantCreate']>,
  patch: Schemas['ApplicantUpdate'],
  after: Partial<Schemas['ApplicantCreate']>,
): FieldError[] {
  return Object.entries(DEPENDENT).flatMap(([name, { on, members }]) => {
    const [was, input, is] = [before, patch, after].map(
      (one) => one[name as keyof typeof DEPENDENT] as Compound | null | undefined,
    );
    if (was == null || input == null || is == null || was[on] === is[on] || is[on] === undefined) return [];
    return members
      .filter((member) => was[member] !== undefined && input[member] === undefined)
      .map((member) => ({
        pointer: `/applicant/${name}/${member}`,
        code: 'stale',
        message: `belongs to what ${on} was before: give it anew, or null to remove it`,
      }));
  });
}

/** Checks the rules that depend only on the body, not on the environment, the time or the stored record. */
export function applicationBodyFaults({
  applicant,
  metadata,
}: ValidPart<Body<'createApplication'> | Body<'updateApplication'>>): FieldError[] {
  const { taxId, address } = applicant ?? {};
  return [
    // Validates by the rules of the sandbox, which accepts what live accepts and its personas too.
    ...(taxId?.type == null || taxId.value == null
      ? []
      : taxIdFaults({ type: taxId.type, value: taxId.value, country: taxId.country ?? undefined }, 'sandbox')),
    ...(address?.country == null
      ? []
      : addressFaults({
          country: address.country,
          state: address.state ?? null,
          postalCode: address.postalCode ?? null,
        })),
    ...(metadata == null ? [] : reservedKeys(metadata)),
  ];
}
