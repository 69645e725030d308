/**
 * The values that the form of an application holds, and which member of the contract each stands for. Used by the other
 * files of this folder and those that link to a field. A field with a wrong pointer shows its errors above the form
 * instead of beside it.
 */
import type { Schemas } from '../../../core/api.ts';
import type { Application, Channel, Level, PepRelationship, Purpose, SourceOfFunds } from '../words.ts';

/** Typed values of an application: texts, as the fields contain them. The names of fields are also used in URLs. */
export interface Values {
  readonly purpose: Purpose | '';
  readonly level: Level;
  readonly externalId: string;
  readonly channel: Channel;
  readonly productCodes: string;
  readonly fullName: string;
  readonly socialName: string;
  readonly motherName: string;
  readonly dateOfBirth: string;
  readonly nationality: string;
  readonly countryOfBirth: string;
  readonly taxIdType: Schemas['TaxIdType'];
  readonly taxIdCountry: string;
  readonly taxId: string;
  readonly email: string;
  readonly phone: string;
  readonly number: string;
  readonly line2: string;
  readonly district: string;
  readonly city: string;
  readonly state: string;
  readonly postalCode: string;
  readonly country: string;
  readonly address: string;
  readonly occupation: string;
  readonly incomeCurrency: string;
  readonly monthlyIncome: string;
  readonly sourceOfFunds: readonly SourceOfFunds[];
  readonly isPep: '' | 'no' | 'yes';
  readonly pepRelationship: PepRelationship;
  readonly pepDeclaration: string;
  readonly taxResidencies: string;
  readonly residentAbroad: boolean;
  /** Always empty. Errors about missing documents are shown beside it. */
  readonly documents: string;
}

/**
 * JSON Pointers of the members in a request, for the errors of the service. A member that contains others comes after
 * their fields.
 */
export const POINTERS: Readonly<Record<keyof Values, string>> = {
  purpose: '/purpose',
  level: '/level',
  externalId: '/externalId',
  channel: '/channel',
  productCodes: '/productCodes',
  fullName: '/applicant/fullName',
  socialName: '/applicant/socialName',
  motherName: '/applicant/motherName',
  dateOfBirth: '/applicant/dateOfBirth',
  nationality: '/applicant/nationality',
  countryOfBirth: '/applicant/countryOfBirth',
  taxIdType: '/applicant/taxId/type',
  taxIdCountry: '/applicant/taxId/country',
  taxId: '/applicant/taxId',
  email: '/applicant/email',
  phone: '/applicant/phone',
  number: '/applicant/address/number',
  line2: '/applicant/address/line2',
  district: '/applicant/address/district',
  city: '/applicant/address/city',
  state: '/applicant/address/state',
  postalCode: '/applicant/address/postalCode',
  country: '/applicant/address/country',
  address: '/applicant/address',
  occupation: '/applicant/occupation',
  incomeCurrency: '/applicant/monthlyIncome/currency',
  monthlyIncome: '/applicant/monthlyIncome',
  sourceOfFunds: '/applicant/sourceOfFunds',
  isPep: '/applicant/pepDeclaration/isPep',
  pepRelationship: '/applicant/pepDeclaration/relationship',
  pepDeclaration: '/applicant/pepDeclaration',
  taxResidencies: '/applicant/taxResidencies',
  residentAbroad: '/applicant/residentAbroad',
  documents: '/documents',
};

export function isField(name: string): name is keyof Values {
  return Object.hasOwn(POINTERS, name);
}

/** Returns the field of a member of the contract, by its JSON Pointer. */
export function fieldAt(pointer: string): keyof Values | undefined {
  return Object.entries(POINTERS).flatMap(([name, at]) => (at === pointer && isField(name) ? [name] : []))[0];
}

/** Returns the fields of a member of the contract and of its submembers. */
export function fieldsOf(pointer: string): (keyof Values)[] {
  return Object.entries(POINTERS).flatMap(([name, at]) =>
    (at === pointer || at.startsWith(`${pointer}/`)) && isField(name) ? [name] : [],
  );
}

export const EMPTY: Values = {
  purpose: '',
  level: 'basic',
  externalId: '',
  channel: 'branch',
  productCodes: '',
  fullName: '',
  socialName: '',
  motherName: '',
  dateOfBirth: '',
  nationality: '',
  countryOfBirth: '',
  taxIdType: 'cpf',
  taxIdCountry: '',
  taxId: '',
  email: '',
  phone: '',
  number: '',
  line2: '',
  district: '',
  city: '',
  state: '',
  postalCode: '',
  country: 'BR',
  address: '',
  occupation: '',
  incomeCurrency: 'BRL',
  monthlyIncome: '',
  sourceOfFunds: [],
  isPep: '',
  pepRelationship: 'self',
  pepDeclaration: '',
  taxResidencies: '',
  residentAbroad: false,
  documents: '',
};

/** Returns the field values of a stored application. */
export function valuesOf({ purpose, level, externalId, channel, productCodes, applicant }: Application): Values {
  const { taxId, address, monthlyIncome, pepDeclaration } = applicant;
  return {
    purpose,
    level,
    externalId: externalId ?? '',
    channel,
    productCodes: productCodes.join(', '),
    fullName: applicant.fullName,
    socialName: applicant.socialName ?? '',
    motherName: applicant.motherName ?? '',
    dateOfBirth: applicant.dateOfBirth ?? '',
    nationality: applicant.nationality ?? '',
    countryOfBirth: applicant.countryOfBirth ?? '',
    taxIdType: taxId?.type ?? 'cpf',
    taxIdCountry: taxId?.type === 'other' ? (taxId.country ?? '') : '',
    taxId: taxId?.value ?? '',
    email: applicant.email ?? '',
    phone: applicant.phone ?? '',
    number: address?.number ?? '',
    line2: address?.line2 ?? '',
    district: address?.district ?? '',
    city: address?.city ?? '',
    state: address?.state ?? '',
    postalCode: address?.postalCode ?? '',
    country: address?.country ?? 'BR',
    address: address?.line1 ?? '',
    occupation: applicant.occupation ?? '',
    incomeCurrency: monthlyIncome?.currency ?? 'BRL',
    monthlyIncome: monthlyIncome === null ? '' : amountText(monthlyIncome),
    sourceOfFunds: applicant.sourceOfFunds,
    isPep: pepAnswer(pepDeclaration),
    pepRelationship: pepDeclaration?.relationship ?? 'self',
    pepDeclaration: pepDeclaration?.role ?? '',
    taxResidencies: applicant.taxResidencies.map(({ country, tin }) => `${country} ${tin}`).join('\n'),
    residentAbroad: applicant.residentAbroad,
    documents: '',
  };
}

function pepAnswer(declaration: Application['applicant']['pepDeclaration']): '' | 'yes' | 'no' {
  if (declaration === null) return '';
  return declaration.isPep ? 'yes' : 'no';
}

/** Returns the number of decimal digits of a currency. */
export function digitsOf(currency: string): number {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    // Not a valid currency yet; the service reports it.
    return 2;
  }
}

function amountText({ amount, currency }: Schemas['Money']): string {
  const digits = digitsOf(currency);
  return (amount / 10 ** digits).toFixed(digits);
}
