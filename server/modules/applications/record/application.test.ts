/** Tests of the rules of an application: time, requirements, submission and status. */
import { describe, expect, it } from 'vitest';
import { nextChangeTime } from '../../../base/time.ts';
import type { Problem } from '../../../contract/problem.ts';
import { defaultSettings } from '../../tenant-settings/settings.ts';
import { assessedOf, NOTHING } from '../evidence/requirement-rules.ts';
import { assertSubmittable, requirementsOf } from '../evidence/requirements.ts';
import { recordApplicant } from './applicant.ts';
import { allowedTransitions, assertOpen, assertTransition, type Evidence } from './application.ts';
import { businessTimeAt } from '../../../../test/support/business-time.ts';

describe('the time of a change', () => {
  const before = businessTimeAt('2026-11-03T12:10:00Z').toISOString();
  it('is now', () =>
    expect(nextChangeTime(businessTimeAt('2026-11-03T12:11:00Z'), before)).toBe('2026-11-03T12:11:00.000Z'));
  it('is after the previous change, even if the clock is not', () => {
    for (const now of [before, '2026-11-03T12:09:00Z'])
      expect(nextChangeTime(businessTimeAt(now), before)).toBe('2026-11-03T12:10:00.001Z');
  });
});

const today = '2026-11-21';
const applicant = recordApplicant(
  {
    fullName: 'Maria da Silva',
    dateOfBirth: '1990-04-12',
    taxId: { type: 'cpf', value: '52998224725' },
    address: { line1: 'Rua das Flores', city: 'Curitiba', country: 'BR' },
  },
  { environment: 'live', today },
);
const passport: Evidence = {
  id: '0197f2c9-02bc-7f10-9a6e-3c5d8e7f1b32' as Evidence['id'],
  type: 'passport',
  status: 'uploaded',
  expiresOn: null,
};

const { requiredChecks } = defaultSettings.decisionPolicy;
type Assessed = ReturnType<typeof assessedOf>;
const assess = ({ level = 'standard', ...changes }: Partial<Assessed>): Assessed => ({
  ...assessedOf(
    { level, applicant },
    {
      ...NOTHING,
      documents: [passport],
      policy: { rules: { requiredChecks }, staleListsBlock: true, screenedLists: [] },
    },
    today,
  ),
  ...changes,
});
const statuses = (changes: Partial<Assessed>) =>
  Object.fromEntries(requirementsOf(assess(changes)).items.map(({ key, status }) => [key, status]));

function code(work: () => unknown): string {
  try {
    work();
    return 'accepted';
  } catch (error) {
    return (error as Problem).code;
  }
}

describe('requirements', () => {
  it('grow with the level', () => {
    expect(statuses({ level: 'basic' })).toEqual({ identity_data: 'provided', tax_id_valid: 'verified' });
    expect(statuses({})).toEqual({
      identity_data: 'provided',
      tax_id_valid: 'verified',
      id_document: 'provided',
      address: 'provided',
    });
    expect(statuses({ level: 'enhanced' })).toEqual({
      identity_data: 'provided',
      tax_id_valid: 'verified',
      id_document: 'provided',
      address: 'provided',
      proof_of_address: 'missing',
      income_declared: 'missing',
      source_of_funds: 'missing',
    });
  });

  it('cannot verify the number of another country', () => {
    const foreign = { ...applicant, taxId: { type: 'other', value: 'X1', country: 'DE' } as const };
    expect(statuses({ applicant: foreign })).toMatchObject({ tax_id_valid: 'provided' });
  });

  it('list the documents that would meet them', () => {
    expect(requirementsOf(assess({ documents: [] })).items.find(({ key }) => key === 'id_document')).toEqual({
      key: 'id_document',
      kind: 'provided',
      status: 'missing',
      reasonCode: 'document_missing',
      alternatives: ['id_card', 'driver_license', 'passport', 'national_migration_card'],
      satisfiedBy: [
        { kind: 'document', documentType: 'id_card', sides: ['front', 'back', 'single'] },
        { kind: 'document', documentType: 'driver_license', sides: ['front', 'back', 'single'] },
        { kind: 'document', documentType: 'passport', sides: ['single'] },
        { kind: 'document', documentType: 'national_migration_card', sides: ['front', 'back', 'single'] },
      ],
    });
  });

  it('list the members and documents that meet them, whether met or not', () => {
    const places = requirementsOf(assess({ level: 'enhanced' })).items.map(({ key, satisfiedBy }) => [
      key,
      satisfiedBy.map(({ pointer, documentType }) => pointer ?? documentType),
    ]);
    expect(Object.fromEntries(places)).toEqual({
      identity_data: ['/applicant/dateOfBirth'],
      tax_id_valid: ['/applicant/taxId'],
      address: ['/applicant/address'],
      id_document: ['id_card', 'driver_license', 'passport', 'national_migration_card'],
      proof_of_address: ['proof_of_address'],
      income_declared: ['/applicant/monthlyIncome'],
      source_of_funds: ['/applicant/sourceOfFunds'],
    });
  });

  it('accept no expired, rejected or replaced document', () => {
    expect(statuses({ documents: [{ ...passport, expiresOn: '2026-11-20' }] })).toMatchObject({
      id_document: 'failed',
    });
    expect(statuses({ documents: [{ ...passport, expiresOn: today }] })).toMatchObject({ id_document: 'provided' });
    for (const status of ['rejected', 'superseded', 'erased'] as const) {
      expect(statuses({ documents: [{ ...passport, status }] })).toMatchObject({ id_document: 'missing' });
    }
    expect(statuses({ documents: [{ ...passport, status: 'accepted' }] })).toMatchObject({ id_document: 'verified' });
  });
});

describe('a submission', () => {
  it('is accepted if all requirements are met', () =>
    expect(code(() => assertSubmittable(assess({}), 18))).toBe('accepted'));
  it('is refused if a document is missing', () =>
    expect(code(() => assertSubmittable(assess({ documents: [] }), 18))).toBe('requirements_missing'));

  it('is refused until the day before the applicant reaches the minimum age of the tenant', () => {
    const born = (dateOfBirth: string) => assess({ applicant: { ...applicant, dateOfBirth } });
    expect(code(() => assertSubmittable(born('2008-11-22'), 18))).toBe('underage_applicant');
    expect(code(() => assertSubmittable(born('2008-11-21'), 18))).toBe('accepted');
    expect(code(() => assertSubmittable(born('2008-11-21'), 19))).toBe('underage_applicant');
  });
});

describe('the status', () => {
  it('changes as the contract declares', () => {
    expect(() => assertTransition('submit', 'draft')).not.toThrow();
    expect(() => assertTransition('withdraw', 'in_review')).not.toThrow();
    expect(allowedTransitions('draft')).toEqual(['in_review', 'withdrawn']);
    expect(allowedTransitions('in_review')).toEqual([
      'needs_information',
      'approved',
      'rejected',
      'pending_approval',
      'withdrawn',
    ]);
    expect(allowedTransitions('pending_approval')).toEqual(['approved', 'rejected', 'in_review', 'withdrawn']);
    for (const status of ['approved', 'rejected'] as const) expect(allowedTransitions(status)).toEqual(['in_review']);
    expect(allowedTransitions('withdrawn')).toEqual([]);
  });

  it('refuses every other transition', () => {
    for (const status of [
      'submitted',
      'in_review',
      'pending_approval',
      'approved',
      'rejected',
      'withdrawn',
      'expired',
    ] as const) {
      expect(code(() => assertTransition('submit', status))).toBe('invalid_state_transition');
    }
    for (const status of ['approved', 'rejected', 'withdrawn', 'expired'] as const) {
      expect(code(() => assertTransition('withdraw', status))).toBe('invalid_state_transition');
      expect(code(() => assertOpen(status))).toBe('application_closed');
    }
  });
});
