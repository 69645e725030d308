/**
 * Brazilian tax numbers: check digits, normal form, and those of sandbox personas. Used by applications, recoveries and
 * screenings. Persona numbers must be refused in live mode.
 */
import type { components } from '../contract/generated/types.ts';
import type { Environment } from '../contract/operation.ts';
import type { FieldError } from '../contract/problem.ts';
import { isNeverIssued, personaFor } from '../providers/personas/index.ts';
import { isCnpj, isCpf } from '../verification/ids/tax-numbers.ts';

type TaxId = components['schemas']['TaxId'];
type RecordedTaxId = components['schemas']['RecordedTaxId'];

/** Removes punctuation and capitalises letters: the form in which a number is stored, compared and searched. */
export function normaliseTaxNumber(value: string): string {
  return value.replaceAll(/[./\s-]/g, '').toUpperCase();
}

/**
 * Returns the stored form of a number. Numbers that are never issued represent the sandbox's personas, and are refused
 * in live.
 */
export function recordTaxId(sent: TaxId, environment: Environment, faults: FieldError[]): RecordedTaxId {
  const { type, value, country = null } = sent;
  faults.push(...taxIdFaults(sent, environment));
  return { type, value: normaliseTaxNumber(value), country: type === 'other' ? country : 'BR' };
}

export function taxIdFaults(
  { type, value, country }: Pick<TaxId, 'type' | 'value'> & { readonly country?: string | undefined },
  environment: Environment,
): FieldError[] {
  return [
    ...(isTaxNumber(type, normaliseTaxNumber(value), environment)
      ? []
      : [{ pointer: '/applicant/taxId/value', ...FAULTS[type] }]),
    ...(type === 'other' || country === undefined || country === 'BR'
      ? []
      : [
          {
            pointer: '/applicant/taxId/country',
            code: 'country',
            message: `must be BR, where the ${type.toUpperCase()} is issued`,
          },
        ]),
  ];
}

/** Tells whether a number in its stored form is valid; those of personas are valid only in the sandbox. */
export function isTaxNumber(type: TaxId['type'], number: string, environment: Environment): boolean {
  if (type === 'other') return number !== '';
  if (isNeverIssued(number) && (environment === 'live' || personaFor(number) === null)) return false;
  return type === 'cpf' ? isCpf(number) : isCnpj(number);
}

const FAULTS = {
  cpf: { code: 'check_digits', message: 'is not a CPF: eleven digits, of which the last two are check digits' },
  cnpj: { code: 'check_digits', message: 'is not a CNPJ: twelve digits or letters, then two check digits' },
  other: { code: 'too_short', message: 'has no digit or letter' },
} as const;
