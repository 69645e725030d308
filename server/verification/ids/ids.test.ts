/** Tests of Brazilian numbers: check digits of CPF, CNPJ and the driving licence, and masked CPFs. */
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTaxNumber, normaliseTaxNumber } from '../../rules/tax-id.ts';
import { checkCnh } from './cnh.ts';
import { compareMaskedCpf, maskedCpf } from './masked-cpf.ts';
import { isCnpj, isCpf } from './tax-numbers.ts';

interface Vector {
  readonly id: string;
  readonly type: 'cpf' | 'cnpj' | 'cnh' | 'mask';
  readonly value: string;
  readonly other: string;
  readonly expect: {
    readonly normalized: string;
    readonly arithmetic: boolean;
    readonly acceptedLive: boolean;
    readonly acceptedSandbox?: boolean;
    readonly masked?: string;
    readonly valid: boolean;
    readonly disputed: boolean;
    readonly result: string;
  };
}

/**
 * Vectors of an independent implementation, which are beside the project in its development environment; without them,
 * the examples and the properties below replace them.
 */
const VECTORS = new URL('../../../../shared/vectors/ids/cases.json', import.meta.url);
const vectors = existsSync(VECTORS) ? (JSON.parse(readFileSync(VECTORS, 'utf8')) as { cases: Vector[] }).cases : [];
const ofType = (...types: string[]) => vectors.filter(({ type }) => types.includes(type));

describe('a Brazilian number', () => {
  it.each(ofType('cpf', 'cnpj'))('$type $value is checked as in the vector $id', ({ type, value, expect: wanted }) => {
    const normalized = normaliseTaxNumber(value);
    expect(normalized).toBe(wanted.normalized);
    expect((type === 'cpf' ? isCpf : isCnpj)(normalized)).toBe(wanted.arithmetic);
    expect(isTaxNumber(type as 'cpf' | 'cnpj', normalized, 'live')).toBe(wanted.acceptedLive);
    expect(isTaxNumber('cpf', normalized, 'sandbox')).toBe(wanted.acceptedSandbox ?? false);
    expect(wanted.masked === undefined ? undefined : maskedCpf(normalized)).toBe(wanted.masked);
  });

  it.each(ofType('cnh'))('$value of a driving licence is checked as in the vector $id', ({ value, expect: wanted }) => {
    expect(checkCnh(value)).toEqual({ isValid: wanted.valid, isDisputed: wanted.disputed });
  });

  it.each(ofType('mask'))('$value is compared with $other as in the vector $id', ({ value, other, expect: wanted }) => {
    expect(compareMaskedCpf(value, other)).toBe(wanted.result);
  });
});

const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((list) => list.join(''));

describe('the register number of a driving licence', () => {
  it('has exactly one pair of check digits for every nine digits that are not all the same', () => {
    fc.assert(
      fc.property(digits(9), (base) => {
        const pairs = Array.from({ length: 100 }, (_, pair) => String(pair).padStart(2, '0'));
        expect(pairs.filter((pair) => checkCnh(base + pair).isValid)).toHaveLength(/^(\d)\1{8}$/.test(base) ? 0 : 1);
      }),
    );
  });

  it.each(['5831679453', '583167945341', '5831679453A', ''])('is not %j', (value) => {
    expect(checkCnh(value)).toEqual({ isValid: false, isDisputed: false });
  });

  it('is computed as with weights from 2 upwards, of which the standard speaks', () => {
    fc.assert(
      fc.property(digits(9), (base) => {
        const digit = (text: string, weights: number[]): number => {
          const rest = [...text].reduce((sum, character, index) => sum + Number(character) * weights[index]!, 0) % 11;
          return rest < 2 ? 0 : 11 - rest;
        };
        const first = digit(base, [2, 3, 4, 5, 6, 7, 8, 9, 10]);
        const second = digit(base + String(first), [3, 4, 5, 6, 7, 8, 9, 10, 11, 2]);
        fc.pre(!/^(\d)\1{8}$/.test(base));
        expect(checkCnh(`${base}${first}${second}`).isValid).toBe(true);
      }),
    );
  });
});

describe('a masked CPF', () => {
  it('equals its own number, and is compared with no number whose digits are wrong', () => {
    expect(compareMaskedCpf(maskedCpf('52998224725'), '529.982.247-25')).toBe('equal');
    expect(compareMaskedCpf('***982247**', '11144477735')).toBe('different');
    expect(compareMaskedCpf('52998224724', '***982247**')).toBe('not_comparable');
    expect(compareMaskedCpf('***98224**', '52998224725')).toBe('not_comparable');
  });
});
