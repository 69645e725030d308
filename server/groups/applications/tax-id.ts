import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/principal.ts';
import { Problem } from '../../http/problem.ts';
import { isCnpj, isSandboxRoot } from './cnpj.ts';
import { isCpf, isRepeatedDigit } from './cpf.ts';

type TaxId = components['schemas']['TaxId'];
type RecordedTaxId = components['schemas']['RecordedTaxId'];

/** Without punctuation and in capitals: the form in which a number is kept, compared and searched. */
export function normaliseTaxNumber(value: string): string {
  return value.replaceAll(/[./\s-]/g, '').toUpperCase();
}

/** The form in which the number is kept, or 422 `invalid_tax_id`. Numbers of sandbox personas do not exist in live. */
export function recordTaxId({ type, value, country }: TaxId, environment: Environment): RecordedTaxId {
  const number = normaliseTaxNumber(value);
  const live = environment === 'live';
  const valid = type === 'cpf' ? isCpf(number) && !(live && isRepeatedDigit(number))
    : type === 'cnpj' ? isCnpj(number) && !(live && isSandboxRoot(number))
    : number !== '';
  if (!valid) throw new Problem('invalid_tax_id', { errors: [{ pointer: '/applicant/taxId/value', ...FAULTS[type] }] });
  if (type === 'other') return { type, value: number, country: country ?? null };
  if (country !== undefined && country !== 'BR') {
    throw new Problem('invalid_tax_id', { errors: [{ pointer: '/applicant/taxId/country', code: 'country', message: `a ${type.toUpperCase()} is a number of BR` }] });
  }
  return { type, value: number, country: 'BR' };
}

const FAULTS = {
  cpf: { code: 'check_digits', message: 'is not a CPF: eleven digits, of which the last two are check digits' },
  cnpj: { code: 'check_digits', message: 'is not a CNPJ: twelve digits or letters, then two check digits' },
  other: { code: 'too_short', message: 'has no digit or letter' },
} as const;
