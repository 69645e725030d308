/** Tests of the validation of tax numbers: what is valid, and why a number is not. */
import { describe, expect, it } from 'vitest';
import { validateTaxId } from './tax-ids.ts';

const NOT_VALID = {
  valid: false,
  kind: null,
  root: null,
  branch: null,
};

describe('a tax number', () => {
  it('that is a CPF is normalised', () => {
    expect(validateTaxId({ type: 'cpf', value: '529.982.247-25' }, 'live')).toEqual({
      ...NOT_VALID,
      type: 'cpf',
      normalized: '52998224725',
      valid: true,
      reasonCode: null,
    });
  });

  it.each([
    ['12.abc.345/01de-35', 'alphanumeric', '12ABC345', true],
    ['11222333000181', 'numeric', '11222333', false],
    ['11222333000262', 'numeric', '11222333', true],
  ] as const)(
    'that is a CNPJ, %s, shows its kind, its root and whether it is a branch',
    (value, kind, root, branch) => {
      expect(validateTaxId({ type: 'cnpj', value }, 'live')).toMatchObject({
        valid: true,
        kind,
        root,
        branch,
      });
    },
  );

  it.each([
    ['cpf', '5299822472', 'length'],
    ['cpf', '5299822472S', 'characters'],
    ['cpf', '52998224724', 'check_digits'],
    ['cpf', '11111111111', 'never_issued'],
    ['cnpj', '12ABC34501DE3', 'length'],
    ['cnpj', '12ABC34501DE3F', 'characters'],
    ['cnpj', '12ABC34501DE34', 'check_digits'],
    ['cnpj', '00000000000000', 'never_issued'],
    ['cnpj', 'SANDBOX1000170', 'never_issued'],
  ] as const)('%s %s is not valid in live: %s', (type, value, reasonCode) => {
    expect(validateTaxId({ type, value }, 'live')).toMatchObject({ ...NOT_VALID, reasonCode });
  });

  it('of a persona is valid in the sandbox', () => {
    expect(validateTaxId({ type: 'cpf', value: '11111111111' }, 'sandbox').valid).toBe(true);
    expect(validateTaxId({ type: 'cnpj', value: 'SANDBOX1000170' }, 'sandbox')).toMatchObject({ valid: true });
  });
});
