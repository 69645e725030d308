/** Tests of the Brazilian tax ids of people (CPF) and organisations (CNPJ). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FieldError } from '../contract/problem.ts';
import { personas } from '../providers/personas/index.ts';
import { isCnpj, isCpf } from '../verification/ids/tax-numbers.ts';
import { normaliseTaxNumber, recordTaxId } from './tax-id.ts';

const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((list) => list.join(''));
const root = fc
  .array(fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'), { minLength: 12, maxLength: 12 })
  .map((list) => list.join(''));
const checks = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'));

describe('a CPF', () => {
  it.each(['52998224725', '11144477735', '12345678909'])('accepts %s', (value) => expect(isCpf(value)).toBe(true));
  it.each(['52998224724', '52998224752', '5299822472', '529982247255', '5299822472a', ''])('refuses %j', (value) =>
    expect(isCpf(value)).toBe(false),
  );

  it('has exactly one pair of check digits for every nine digits', () => {
    fc.assert(
      fc.property(digits(9), (base) => {
        expect(checks.filter((pair) => isCpf(base + pair))).toHaveLength(1);
      }),
    );
  });
});

describe('a CNPJ', () => {
  it.each(['12ABC34501DE35', '11222333000181', 'SANDBOX1000170', 'SANDBOX2000114', 'SANDBOX9000136'])(
    'accepts %s',
    (value) => expect(isCnpj(value)).toBe(true),
  );
  it.each([
    '12ABC34501DE34',
    '11222333000180',
    '12abc34501de35',
    '12ABC34501DE3A',
    '00000000000000',
    '1122233300018',
    '',
  ])('refuses %j', (value) => expect(isCnpj(value)).toBe(false));

  it('has exactly one pair of check digits for every root, with letters or without', () => {
    fc.assert(
      fc.property(root, (base) => {
        expect(checks.filter((pair) => isCnpj(base + pair))).toHaveLength(base === '000000000000' ? 0 : 1);
      }),
    );
  });
});

function faultsOf(
  ...[taxId, environment]: [Parameters<typeof recordTaxId>[0], 'live' | 'sandbox']
): (string | undefined)[] {
  const faults: FieldError[] = [];
  recordTaxId(taxId, environment, faults);
  return faults.map(({ pointer }) => pointer);
}

describe('the recorded form', () => {
  it('has no punctuation and only capital letters', () => {
    expect(recordTaxId({ type: 'cpf', value: '529.982.247-25' }, 'live', [])).toEqual({
      type: 'cpf',
      value: '52998224725',
      country: 'BR',
    });
    expect(recordTaxId({ type: 'cnpj', value: '12.abc.345/01de-35' }, 'live', [])).toEqual({
      type: 'cnpj',
      value: '12ABC34501DE35',
      country: 'BR',
    });
    expect(recordTaxId({ type: 'other', value: 'ab 12-3', country: 'DE' }, 'live', [])).toEqual({
      type: 'other',
      value: 'AB123',
      country: 'DE',
    });
    expect(recordTaxId({ type: 'other', value: '7' }, 'live', []).country).toBeNull();
  });

  it('does not change if it is normalised again', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9A-Za-z./ -]{1,40}$/), (value) => {
        expect(normaliseTaxNumber(normaliseTaxNumber(value))).toBe(normaliseTaxNumber(value));
      }),
    );
  });

  it.each(personas)('takes the number of $key in the sandbox and not in live', ({ kind, taxId }) => {
    const number = { type: kind === 'person' ? 'cpf' : 'cnpj', value: taxId } as const;
    expect(faultsOf(number, 'sandbox')).toEqual([]);
    expect(faultsOf(number, 'live')).toEqual(['/applicant/taxId/value']);
  });

  it('refuses every other number that is never issued, even with correct check digits', () => {
    const value = checks.map((pair) => `SANDBOX10002${pair}`).find(isCnpj) ?? '';
    for (const environment of ['live', 'sandbox'] as const)
      expect(faultsOf({ type: 'cnpj', value }, environment)).toEqual(['/applicant/taxId/value']);
  });

  it('names a wrong number, a Brazilian number of another country and a number of punctuation only', () => {
    expect(faultsOf({ type: 'cpf', value: '12ABC34501DE35' }, 'sandbox')).toEqual(['/applicant/taxId/value']);
    expect(faultsOf({ type: 'cpf', value: '52998224725', country: 'PT' }, 'live')).toEqual([
      '/applicant/taxId/country',
    ]);
    expect(faultsOf({ type: 'other', value: ' .-/' }, 'live')).toEqual(['/applicant/taxId/value']);
  });
});
