/**
 * Turns what was typed into a request: a new application, or a patch with only the changes. Used by the page of a new
 * application and by applicant.tsx. Only an amount or tax residency that no request could contain throws
 * (`Unreadable`).
 */
import type { Schemas } from '../../../core/api.ts';
import { digitsOf, type Values } from './values.ts';
import { textOrNull } from '../../../ui/text-or-null.ts';

/** A field has a value that no request can contain. All other values are checked by the service. */
export class Unreadable extends Error {
  readonly field: 'monthlyIncome' | 'taxResidencies';

  constructor(field: Unreadable['field']) {
    super(field);
    this.field = field;
  }
}

/** Returns a new application from the typed values. Empty fields are omitted. */
export function creationOf(values: Values, submit: boolean): Schemas['ApplicationCreate'] {
  const { purpose, level, channel, externalId, productCodes } = membersOf(values);
  const { taxId, pepDeclaration, ...others } = applicantOf(values);
  const present = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== null));
  return {
    purpose,
    level,
    channel,
    ...(externalId !== null && { externalId }),
    productCodes,
    submit,
    applicant: {
      fullName: values.fullName.trim(),
      ...present,
      ...(taxId !== null && {
        taxId: { type: taxId.type, value: taxId.value, ...(taxId.country !== null && { country: taxId.country }) },
      }),
      ...(pepDeclaration !== null && { pepDeclaration: pepDeclaration.isPep ? pepDeclaration : { isPep: false } }),
    },
  };
}

/**
 * Returns the changes as a merge patch; null if there are none. An emptied member is cleared. Requested members (by
 * JSON Pointer) are sent even if unchanged, because they may have been correct.
 */
export function patchOf(
  before: Values,
  after: Values,
  requested: readonly string[] = [],
): Schemas['ApplicationUpdate'] | null {
  const members = changed(membersOf(before), membersOf(after), (name) => requested.includes(`/${name}`));
  const applicant = changed(
    { fullName: before.fullName.trim(), ...applicantOf(before) },
    { fullName: after.fullName.trim(), ...applicantOf(after) },
    (name) => requested.includes(`/applicant/${name}`),
  );
  // The form does not show since when the person is exposed, which belongs to the former declaration.
  const pepDeclaration =
    applicant.pepDeclaration && before.isPep !== after.isPep
      ? { ...applicant.pepDeclaration, since: null, until: null }
      : applicant.pepDeclaration;
  const patch = {
    ...members,
    ...(Object.keys(applicant).length > 0 && {
      applicant: { ...applicant, ...(pepDeclaration !== undefined && { pepDeclaration }) },
    }),
  };
  return Object.keys(patch).length > 0 ? patch : null;
}

function changed<T extends object>(before: T, after: T, always: (name: string) => boolean): Partial<T> {
  const patch: Partial<T> = {};
  for (const name in after)
    if (always(name) || JSON.stringify(before[name]) !== JSON.stringify(after[name])) patch[name] = after[name];
  return patch;
}

function membersOf({ purpose, level, externalId, channel, productCodes }: Values) {
  return {
    // A form without a purpose is not sent.
    purpose: purpose === '' ? ('other' as const) : purpose,
    level,
    channel,
    externalId: textOrNull(externalId),
    productCodes: productCodes.split(/[\s,;]+/).filter((code) => code !== ''),
  };
}

function applicantOf(values: Values) {
  return {
    socialName: textOrNull(values.socialName),
    motherName: textOrNull(values.motherName),
    dateOfBirth: textOrNull(values.dateOfBirth),
    nationality: textOrNull(values.nationality),
    countryOfBirth: textOrNull(values.countryOfBirth),
    taxId: taxIdOf(values),
    email: textOrNull(values.email),
    phone: textOrNull(values.phone)?.replaceAll(/[\s().-]/g, '') ?? null,
    address: addressOf(values),
    occupation: textOrNull(values.occupation),
    monthlyIncome: incomeOf(values),
    sourceOfFunds: [...values.sourceOfFunds],
    pepDeclaration: pepOf(values),
    taxResidencies: residenciesOf(values),
    residentAbroad: values.residentAbroad,
  } satisfies Schemas['ApplicantUpdate'];
}

/** Returns null for an emptied member, which removes it: a patch does not change omitted members. */
function taxIdOf({ taxId, taxIdType, taxIdCountry }: Values) {
  const value = textOrNull(taxId);
  return value === null
    ? null
    : { type: taxIdType, value, country: taxIdType === 'other' ? textOrNull(taxIdCountry) : 'BR' };
}

/** Returns the address if any part other than the preset country was typed. */
function addressOf({
  address,
  number,
  line2,
  district,
  city,
  state,
  postalCode,
  country,
}: Values): Schemas['Address'] | null {
  if ([address, number, line2, district, city, state, postalCode].every((text) => textOrNull(text) === null))
    return null;
  return {
    line1: address.trim(),
    number: textOrNull(number),
    line2: textOrNull(line2),
    district: textOrNull(district),
    city: city.trim(),
    state: textOrNull(state)?.toUpperCase() ?? null,
    postalCode: textOrNull(postalCode),
    country,
  };
}

/**
 * Parses an amount. `8.500,00`, `8,500.00` and `8500` are equal: the last separator is the decimal one if at most two
 * digits follow it.
 */
function incomeOf({ monthlyIncome, incomeCurrency }: Values): Schemas['Money'] | null {
  const text = monthlyIncome.replaceAll(/\s/g, '');
  if (text === '') return null;
  const decimal = /^(.*)[.,](\d{1,2})$/.exec(text);
  const whole = (decimal?.[1] ?? text).replaceAll(/[.,]/g, '');
  if (!/^\d+$/.test(whole)) throw new Unreadable('monthlyIncome');
  const amount = Math.round(Number(`${whole}.${decimal?.[2] ?? '0'}`) * 10 ** digitsOf(incomeCurrency));
  return { amount, currency: incomeCurrency.trim().toUpperCase() };
}

function pepOf({ isPep, pepRelationship, pepDeclaration }: Values) {
  if (isPep === '') return null;
  return isPep === 'no'
    ? {
        isPep: false as const,
        role: null,
        relationship: null,
        since: null,
        until: null,
      }
    : { isPep: true as const, relationship: pepRelationship, role: textOrNull(pepDeclaration) };
}

/** Parses one residency per line: the country and the tax number. */
function residenciesOf({ taxResidencies }: Values): Schemas['TaxResidency'][] {
  return taxResidencies
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, country, tin] = /^([A-Za-z]{2})[\s:,-]+(\S.*)$/.exec(line) ?? [];
      if (country === undefined || tin === undefined) throw new Unreadable('taxResidencies');
      return { country: country.toUpperCase(), tin };
    });
}
