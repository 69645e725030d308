import type { components } from '../../contract/generated/types.ts';
import type { Body } from '../../contract/operation-types.ts';
import type { Environment } from '../../contract/operation.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import type { ValidPart } from '../../request/handler.ts';
import { addressFaults, recordAddress } from '../../rules/address.ts';
import { assertComparable } from '../../rules/comparable-names.ts';
import { mergePatch, withoutNulls } from '../../rules/merge-patch.ts';
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
  const { fullName, socialName } = applicant;
  assertComparable([{ pointer: '/applicant/fullName', name: fullName }, ...socialName === null ? [] : [{ pointer: '/applicant/socialName', name: socialName }]]);
  return applicant;
}

/** A person whose record is renewed. What is given is whole, as on creation, and takes the place of what was kept. */
export function renewedApplicant(kept: Applicant, given: Schemas['ApplicantCreate'], recording: Recording): Applicant {
  return recordApplicant({ ...givenForm(kept), ...given }, recording);
}

/** What the result of a merge patch must be in the eyes of the contract (`resultFaults` of a handler). */
type ResultFaults = (result: object) => readonly FieldError[];

/** Merges first (RFC 7396) and judges the result then, because a patch may be right only together with what is kept. */
export function patchApplicant(kept: Applicant, patch: Schemas['ApplicantUpdate'], { resultFaults, ...recording }: Recording & { readonly resultFaults: ResultFaults }): Applicant {
  const before = givenForm(kept, patch.taxId?.type);
  const applicant = mergePatch(before, patch) as Schemas['ApplicantCreate'];
  const errors = [...resultFaults({ applicant }), ...staleFaults(before, patch, applicant)];
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
  return recordApplicant(applicant, recording);
}

/**
 * A record as it could be given: without what is absent. The country of a number goes with its kind: a CPF implies it, and a number of
 * another kind is of another country.
 */
function givenForm({ taxId, ...kept }: Applicant, kind?: Schemas['TaxIdType'] | null): Schemas['ApplicantCreate'] {
  const hasCountry = taxId?.type === 'other' && (kind == null || kind === 'other');
  return withoutNulls({ ...kept, taxId: hasCountry ? taxId : taxId && { ...taxId, country: null } }) as Schemas['ApplicantCreate'];
}

type Compound = Readonly<Record<string, unknown>>;

/** The members that mean something else once another member of the same object has changed. */
const DEPENDENT = {
  address: { on: 'country', members: ['state', 'postalCode'] },
  taxId: { on: 'type', members: ['value'] },
  pepDeclaration: { on: 'isPep', members: ['role', 'relationship', 'since', 'until'] },
} as const;

/** A state of Brazil is none of Portugal: what depends on a member that changes is given with it or removed, and never kept. */
function staleFaults(before: Partial<Schemas['ApplicantCreate']>, patch: Schemas['ApplicantUpdate'], after: Partial<Schemas['ApplicantCreate']>): FieldError[] {
  return Object.entries(DEPENDENT).flatMap(([name, { on, members }]) => {
    const [was, given, is] = [before, patch, after].map((one) => one[name as keyof typeof DEPENDENT] as Compound | null | undefined);
    if (was == null || given == null || is == null || was[on] === is[on] || is[on] === undefined) return [];
    return members.filter((member) => was[member] !== undefined && given[member] === undefined)
      .map((member) => ({ pointer: `/applicant/${name}/${member}`, code: 'stale', message: `belongs to what ${on} was before: give it anew, or null to remove it` }));
  });
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
