import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/principal.ts';
import type { FieldError } from '../../http/problem.ts';
import { isNeverIssued, personaFor } from '../../providers/personas/index.ts';
import { isCnpj } from './cnpj.ts';
import { isCpf } from './cpf.ts';

type TaxId = components['schemas']['TaxId'];
type RecordedTaxId = components['schemas']['RecordedTaxId'];

/** Without punctuation and in capitals: the form in which a number is kept, compared and searched. */
export function normaliseTaxNumber(value: string): string {
  return value.replaceAll(/[./\s-]/g, '').toUpperCase();
}

/** The form in which the number is kept. Numbers that are never issued stand for the sandbox's personas, and do not exist in live. */
export function recordTaxId(given: TaxId, environment: Environment, faults: FieldError[]): RecordedTaxId {
  const { type, value, country = null } = given;
  faults.push(...taxIdFaults(given, environment));
  return { type, value: normaliseTaxNumber(value), country: type === 'other' ? country : 'BR' };
}

export function taxIdFaults({ type, value, country }: Pick<TaxId, 'type' | 'value'> & { readonly country?: string | undefined }, environment: Environment): FieldError[] {
  return [
    ...(isRight(type, normaliseTaxNumber(value), environment) ? [] : [{ pointer: '/applicant/taxId/value', ...FAULTS[type] }]),
    ...(type === 'other' || country === undefined || country === 'BR'
      ? [] : [{ pointer: '/applicant/taxId/country', code: 'country', message: `must be BR, where the ${type.toUpperCase()} is issued` }]),
  ];
}

function isRight(type: TaxId['type'], number: string, environment: Environment): boolean {
  if (type === 'other') return number !== '';
  if (isNeverIssued(number) && (environment === 'live' || personaFor(number) === null)) return false;
  return type === 'cpf' ? isCpf(number) : isCnpj(number);
}

const FAULTS = {
  cpf: { code: 'check_digits', message: 'is not a CPF: eleven digits, of which the last two are check digits' },
  cnpj: { code: 'check_digits', message: 'is not a CNPJ: twelve digits or letters, then two check digits' },
  other: { code: 'too_short', message: 'has no digit or letter' },
} as const;
