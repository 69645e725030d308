import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { isTaxNumber, normaliseTaxNumber } from '../../rules/tax-id.ts';
import { isBranch } from '../../verification/ids/tax-numbers.ts';
import { type Business, findHeadOffice } from './store.ts';

type Schemas = components['schemas'];

/**
 * Returns a registration as it is stored: without punctuation, in capital letters, and with the country of a CNPJ.
 * Rejects a number that is not one, and in live the numbers that represent personas of the sandbox.
 */
export function recordRegistration(
  { type, number, country }: Schemas['BusinessRegistration'],
  environment: Environment,
): Schemas['RecordedRegistration'] {
  const normal = normaliseTaxNumber(number);
  const errors: FieldError[] = [];
  if (!isTaxNumber(type, normal, environment))
    errors.push({
      pointer: '/registration/number',
      ...(type === 'cnpj'
        ? { code: 'check_digits', message: 'is not a CNPJ: twelve digits or letters, then two check digits' }
        : { code: 'too_short', message: 'has no digit or letter' }),
    });
  if (type === 'cnpj' && country !== undefined && country !== 'BR')
    errors.push({ pointer: '/registration/country', code: 'country', message: 'must be BR, where the CNPJ is issued' });
  if (type === 'other' && country === undefined)
    errors.push({ pointer: '/registration/country', code: 'required', message: 'is required of a register abroad' });
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
  return { type, number: normal, country: country ?? 'BR' };
}

/** Rejects the CNPJ of a branch whose head office is not recorded: a branch has the powers of its head office. */
export async function assertHeadOffice(
  tx: Transaction,
  { environment, registration }: Pick<Business, 'environment' | 'registration'>,
): Promise<void> {
  if (registration.type !== 'cnpj' || !isBranch(registration.number)) return;
  if ((await findHeadOffice(tx, { environment, registration })) !== null) return;
  const message = 'is the CNPJ of a branch; record its head office first, whose number has 0001 after the same root';
  throw new Problem('validation_failed', {
    errors: [{ pointer: '/registration/number', code: 'branch_without_root', message }],
  });
}
