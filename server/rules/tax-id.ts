/**
 * Brazilian tax numbers: check digits, normal form, and those of sandbox personas. Used by applications, recoveries and
 * screenings. Persona numbers must be refused in live mode.
 */
import type { components } from '../contract/generated/types.ts';
import type { Environment } from '../contract/operation.ts';
import type { FieldError } from '../contract/problem.ts';
import { isNeverIssued, personaFor } from '../providers/personas/index.ts';

/**
 * Checks a number of the Cadastro de Pessoas Físicas: nine digits and two check digits, each modulo 11 over all digits
 * before it with weights that fall to 2 (Receita Federal).
 */
export function isCpf(value: string): boolean {
  return (
    /^\d{11}$/.test(value) &&
    cpfCheckDigit(value.slice(0, 9)) === value[9] &&
    cpfCheckDigit(value.slice(0, 10)) === value[10]
  );
}

function cpfCheckDigit(digits: string): string {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits[i]) * (digits.length + 1 - i);
  const rest = (sum * 10) % 11;
  return String(rest === 10 ? 0 : rest);
}

/**
 * Checks a number of the Cadastro Nacional da Pessoa Jurídica, numeric or alphanumeric (Instrução Normativa RFB
 * 2.229/2024): twelve digits or capital letters and two check digits. A character counts as its ASCII code minus 48, so
 * digits count as before.
 */
export function isCnpj(value: string): boolean {
  if (!/^[0-9A-Z]{12}\d{2}$/.test(value) || value === '0'.repeat(14)) return false;
  return cnpjCheckDigit(value.slice(0, 12)) === value[12] && cnpjCheckDigit(value.slice(0, 13)) === value[13];
}

/** Returns the check digit: modulo 11 with the weights 2 to 9 from the right, repeated. */
function cnpjCheckDigit(characters: string): string {
  let sum = 0;
  for (let i = 0; i < characters.length; i++) {
    const weight = 2 + ((characters.length - 1 - i) % 8);
    sum += (characters.charCodeAt(i) - 48) * weight;
  }
  const rest = sum % 11;
  return String(rest < 2 ? 0 : 11 - rest);
}

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
