/**
 * Validates tax numbers by their check digits. Called by the handlers. It says nothing about whether a number was
 * issued.
 */
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import { isNeverIssued } from '../../providers/personas/index.ts';
import { isTaxNumber, normaliseTaxNumber } from '../../rules/tax-id.ts';
import { isBranch, rootOf } from '../../verification/ids/tax-numbers.ts';

type Schemas = components['schemas'];
type Validated = Schemas['ValidatedTaxId'];

const FORMS = { cpf: { length: 11, characters: /^\d*$/ }, cnpj: { length: 14, characters: /^[0-9A-Z]{12}\d{2}$/ } };

/** Checks a tax number as the environment accepts it. */
export function validateTaxId({ type, value }: Schemas['TaxIdToValidate'], environment: Environment): Validated {
  const normalized = normaliseTaxNumber(value);
  const valid = isTaxNumber(type, normalized, environment);
  const isOrganisation = valid && type === 'cnpj';
  return {
    type,
    normalized,
    valid,
    reasonCode: valid ? null : reasonFor(type, normalized),
    kind: isOrganisation ? kindOf(normalized) : null,
    root: isOrganisation ? rootOf(normalized) : null,
    branch: isOrganisation ? isBranch(normalized) : null,
  };
}

const kindOf = (number: string): 'numeric' | 'alphanumeric' => (/^\d+$/.test(number) ? 'numeric' : 'alphanumeric');

function reasonFor(type: 'cpf' | 'cnpj', number: string): Validated['reasonCode'] {
  const { length, characters } = FORMS[type];
  if (number.length !== length) return 'length';
  if (!characters.test(number)) return 'characters';
  return isNeverIssued(number) || /^0+$/.test(number) ? 'never_issued' : 'check_digits';
}
