/** Tests of when applications contradict each other. */
import { describe, expect, it } from 'vitest';
import { type Claim, conflictsOf } from './signals.ts';
import { businessTimeAt } from '../../../../test/support/business-time.ts';

const submittedAt = businessTimeAt('2026-11-03T12:12:00.000Z').toISOString();
const claim = (dateOfBirth: string | null = '1990-04-12', value = '52998224725', country = 'BR'): Claim => ({
  taxId: { type: 'cpf', value, country },
  dateOfBirth,
});
const signals = (own: Claim, ...others: Claim[]) => conflictsOf({ submittedAt, applicant: own }, others);

describe('the signal of conflicting identities', () => {
  it('is raised if one of the other applications states another date of birth under the same number', () => {
    expect(signals(claim(), claim(), claim('1971-01-02'))).toEqual(['identity_conflict']);
  });

  it('is not raised if all agree, if a number or a date is missing, or if the number is of another country', () => {
    expect(signals(claim())).toEqual([]);
    expect(signals(claim(), claim())).toEqual([]);
    expect(signals(claim(), claim(null))).toEqual([]);
    expect(signals(claim(null), claim('1971-01-02'))).toEqual([]);
    expect(signals({ taxId: null, dateOfBirth: '1990-04-12' }, { taxId: null, dateOfBirth: '1971-01-02' })).toEqual([]);
    expect(signals(claim(), claim('1971-01-02', '52998224725', 'PT'))).toEqual([]);
  });

  it('is not raised for a draft', () => {
    expect(conflictsOf({ submittedAt: null, applicant: claim() }, [claim('1971-01-02')])).toEqual([]);
  });
});
