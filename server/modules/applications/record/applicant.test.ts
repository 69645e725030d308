/** Tests of the rules for the data of an applicant. */
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../contract/problem.ts';
import { ageOn, calendarDate } from '../../../rules/brazilian-calendar.ts';
import { patchApplicant, recordApplicant, recordMetadata } from './applicant.ts';
import { businessTimeAt } from '../../../../test/support/business-time.ts';

const live = { environment: 'live', today: '2026-11-21' } as const;
const maria = { fullName: 'Maria da Silva' };
const address = {
  line1: 'Rua das Flores',
  number: '120',
  city: 'Curitiba',
  state: 'PR',
  postalCode: '80010000',
  country: 'BR',
};

function refusal(work: () => unknown): Problem {
  try {
    work();
  } catch (error) {
    return error as Problem;
  }
  throw new Error('expected the call to throw a problem, and it returned');
}

describe('recording an applicant', () => {
  it('returns every member', () => {
    expect(recordApplicant(maria, live)).toEqual({
      fullName: 'Maria da Silva',
      socialName: null,
      motherName: null,
      dateOfBirth: null,
      nationality: null,
      countryOfBirth: null,
      taxId: null,
      email: null,
      phone: null,
      address: null,
      occupation: null,
      monthlyIncome: null,
      sourceOfFunds: [],
      pepDeclaration: null,
      taxResidencies: [],
      residentAbroad: false,
    });
  });

  it('reports all faults at once, the tax number among them', () => {
    const problem = refusal(() =>
      recordApplicant(
        {
          ...maria,
          dateOfBirth: '2026-11-22',
          taxId: { type: 'cpf', value: '1' },
          address: { ...address, state: 'ZZ', postalCode: '1' },
        },
        live,
      ),
    );
    expect(problem.code).toBe('validation_failed');
    expect(problem.members.errors?.map(({ pointer }) => pointer)).toEqual([
      '/applicant/dateOfBirth',
      '/applicant/address/state',
      '/applicant/address/postalCode',
      '/applicant/taxId/value',
    ]);
  });

  it('reports an invalid tax number under a code of its own if nothing else is wrong', () => {
    expect(refusal(() => recordApplicant({ ...maria, taxId: { type: 'cpf', value: '11111111111' } }, live)).code).toBe(
      'invalid_tax_id',
    );
  });

  it('accepts births from 1900 to today', () => {
    for (const dateOfBirth of ['1900-01-01', '2026-11-21'])
      expect(recordApplicant({ ...maria, dateOfBirth }, live).dateOfBirth).toBe(dateOfBirth);
    expect(refusal(() => recordApplicant({ ...maria, dateOfBirth: '2026-11-22' }, live)).code).toBe(
      'validation_failed',
    );
  });
});

describe('patching an applicant', () => {
  const stored = recordApplicant({ ...maria, email: 'maria@example.com', address }, live);
  const patching = { ...live, resultFaults: () => [] };

  it('clears members that are null in the patch and keeps the others', () => {
    expect(patchApplicant(stored, { email: null, phone: '+5541988887777' }, patching)).toEqual({
      ...stored,
      email: null,
      phone: '+5541988887777',
    });
  });

  it('merges an address and validates the result', () => {
    const moved = patchApplicant(
      stored,
      {
        address: {
          line1: 'Rua Nova',
          city: 'Curitiba',
          country: 'BR',
          number: null,
        },
      },
      patching,
    );
    expect(moved.address).toEqual({ ...stored.address, line1: 'Rua Nova', number: null });
    expect(
      refusal(() =>
        patchApplicant(
          stored,
          {
            address: {
              line1: 'x',
              city: 'y',
              country: 'BR',
              state: 'XX',
            },
          },
          patching,
        ),
      ).code,
    ).toBe('validation_failed');
  });
});

describe('metadata', () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));

  it('is marked only in the sandbox', () => {
    expect(recordMetadata({ a: 1 }, 'sandbox')).toEqual({ a: 1, sandbox: true });
    expect(recordMetadata({ a: 1 }, 'live')).toEqual({ a: 1 });
    expect(recordMetadata({ a: null, b: 2 }, 'sandbox', { a: 1, sandbox: true })).toEqual({ b: 2, sandbox: true });
  });

  it('refuses the reserved key, even to remove it', () => {
    expect(refusal(() => recordMetadata({ sandbox: true }, 'live')).code).toBe('reserved_metadata_key');
    expect(refusal(() => recordMetadata({ sandbox: null }, 'sandbox', { sandbox: true })).code).toBe(
      'reserved_metadata_key',
    );
  });

  it('keeps to its limit after merging, including the mark', () => {
    expect(Object.keys(recordMetadata(many(20), 'live'))).toHaveLength(20);
    expect(refusal(() => recordMetadata(many(20), 'sandbox')).code).toBe('validation_failed');
    expect(refusal(() => recordMetadata({ extra: 1 }, 'live', many(20))).code).toBe('validation_failed');
  });
});

describe('the calendar', () => {
  it('counts days in the time zone of Brasília', () => {
    expect(calendarDate(businessTimeAt('2026-11-21T02:59:59Z'))).toBe('2026-11-20');
    expect(calendarDate(businessTimeAt('2026-11-21T03:00:00Z'))).toBe('2026-11-21');
  });

  it('counts whole years', () => {
    expect(ageOn('2026-11-21', '2008-11-21')).toBe(18);
    expect(ageOn('2026-11-20', '2008-11-21')).toBe(17);
    expect(ageOn('2026-02-28', '2008-02-29')).toBe(17);
    expect(ageOn('2026-03-01', '2008-02-29')).toBe(18);
  });
});
