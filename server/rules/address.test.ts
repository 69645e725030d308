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
  it('may leave out state and postal code', () => {
    expect(recordAddress(curitiba, [])).toEqual({ ...curitiba, number: null, line2: null, district: null, state: null, postalCode: null });
  });

  it('keeps the CEP as eight digits', () => {
    expect(recordAddress({ ...curitiba, state: 'PR', postalCode: '80010-000' }, []).postalCode).toBe('80010000');
  });

  it('names every wrong member at once', () => {
    expect(pointers({ ...curitiba, state: 'XX', postalCode: '1234' })).toEqual(['/applicant/address/state', '/applicant/address/postalCode']);
    expect(pointers({ ...curitiba, state: 'pr' })).toEqual(['/applicant/address/state']);
  });
});

describe('an address elsewhere', () => {
  it('keeps state and postal code as they are', () => {
    expect(recordAddress({ line1: '1 High St', city: 'London', country: 'GB', postalCode: 'SW1A 1AA', state: 'England' }, []))
      .toMatchObject({ postalCode: 'SW1A 1AA', state: 'England' });
  });
});
