/**
 * Rules of addresses beyond the schema: Brazilian states and postal codes. Used by the applicant of an application.
 * Adds its faults to those of the caller instead of throwing.
 */
import type { components } from '../contract/generated/types.ts';
import type { FieldError } from '../contract/problem.ts';

type Address = components['schemas']['Address'];
type RecordedAddress = components['schemas']['RecordedAddress'];

/** Codes of the 26 states and the federal district (ISO 3166-2:BR). */
const FEDERATIVE_UNITS: ReadonlySet<string> = new Set([
  'AC',
  'AL',
  'AM',
  'AP',
  'BA',
  'CE',
  'DF',
  'ES',
  'GO',
  'MA',
  'MG',
  'MS',
  'MT',
  'PA',
  'PB',
  'PE',
  'PI',
  'PR',
  'RJ',
  'RN',
  'RO',
  'RR',
  'RS',
  'SC',
  'SE',
  'SP',
  'TO',
]);
/**
 * Form of a CEP: eight digits, optionally with a hyphen after the first five. The first codes are those of São Paulo,
 * from 01000-000 on.
 */
const CEP = /^(?!00)\d{5}[- ]?\d{3}$/;
const POINTER = '/applicant/address';

/**
 * Returns the stored form of an address. For state and postal code of a Brazilian address, the rules are stricter than
 * the schema.
 */
export function recordAddress(address: Address, faults: FieldError[]): RecordedAddress {
  const { country, state = null, postalCode = null } = address;
  faults.push(...addressFaults({ country, state, postalCode }));
  return {
    line1: address.line1,
    number: address.number ?? null,
    line2: address.line2 ?? null,
    district: address.district ?? null,
    city: address.city,
    state,
    postalCode: country === 'BR' ? cepOf(postalCode) : postalCode,
    country,
  };
}

export function addressFaults({
  country,
  state,
  postalCode,
}: Pick<RecordedAddress, 'country' | 'state' | 'postalCode'>): FieldError[] {
  if (country !== 'BR') return [];
  return [
    ...(state === null || FEDERATIVE_UNITS.has(state)
      ? []
      : [
          {
            pointer: `${POINTER}/state`,
            code: 'enum',
            message: 'must be one of the 27 federative units of Brazil, for example PR',
          },
        ]),
    ...(postalCode === null || CEP.test(postalCode)
      ? []
      : [
          {
            pointer: `${POINTER}/postalCode`,
            code: 'pattern',
            message: 'must be a CEP of eight digits, such as 80010-000',
          },
        ]),
  ];
}

function cepOf(postalCode: string | null): string | null {
  return postalCode?.replaceAll(/[ -]/g, '') ?? null;
}
