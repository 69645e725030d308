/** Tests of the rules for postal addresses. */
import { describe, expect, it } from 'vitest';
import type { FieldError } from '../contract/problem.ts';
import { recordAddress } from './address.ts';

const curitiba = { line1: 'Rua das Flores', city: 'Curitiba', country: 'BR' };

function pointers(address: Parameters<typeof recordAddress>[0]): (string | undefined)[] {
  const faults: FieldError[] = [];
  recordAddress(address, faults);
  return faults.map(({ pointer }) => pointer);
}

describe('a Brazilian address', () => {
  it('may omit state and postal code', () => {
    expect(recordAddress(curitiba, [])).toEqual({
      ...curitiba,
      number: null,
      line2: null,
      district: null,
      state: null,
      postalCode: null,
    });
  });

  it('stores the CEP (postal code) as eight digits', () => {
    expect(recordAddress({ ...curitiba, state: 'PR', postalCode: '80010-000' }, []).postalCode).toBe('80010000');
  });

  it('reports all invalid fields together', () => {
    expect(pointers({ ...curitiba, state: 'XX', postalCode: '1234' })).toEqual([
      '/applicant/address/state',
      '/applicant/address/postalCode',
    ]);
    expect(pointers({ ...curitiba, state: 'pr' })).toEqual(['/applicant/address/state']);
  });

  it.each(['80010000', '80010-000', '80010 000', '01000-000'])('accepts the CEP %s', (postalCode) => {
    expect(pointers({ ...curitiba, postalCode })).toEqual([]);
  });

  it.each([
    '8001-0000',
    '800-10000',
    '8-0-0-1-0-0-0-0',
    '00000-000',
    '00999-999',
    '80010--000',
    '80010-0000',
    '8001000',
  ])('rejects the CEP %s', (postalCode) => {
    expect(pointers({ ...curitiba, postalCode })).toEqual(['/applicant/address/postalCode']);
  });
});

describe('an address outside Brazil', () => {
  it('stores state and postal code unchanged', () => {
    expect(
      recordAddress(
        {
          line1: '1 High St',
          city: 'London',
          country: 'GB',
          postalCode: 'SW1A 1AA',
          state: 'England',
        },
        [],
      ),
    ).toMatchObject({ postalCode: 'SW1A 1AA', state: 'England' });
  });
});
