/** Tests of the rules for decisions: when a second person is required, and what a machine may decide. */
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../contract/problem.ts';
import { recordApplicant } from '../record/applicant.ts';
import type { ApplicationRecord } from '../record/application.ts';
import { assertMayDecide, decided, fourEyesReasons, isLowRisk } from './decisions.ts';
import { businessTimeAt } from '../../../../test/support/business-time.ts';

const applicant = recordApplicant({ fullName: 'Maria da Silva' }, { environment: 'live', today: '2026-11-21' });
const exposed = { ...applicant, pepDeclaration: { isPep: true } };
const fourEyes = {
  levels: ['high'],
  onPep: true,
  onConfirmedHit: true,
  onNotScreened: true,
  onOverride: true,
  amountAbove: null,
} as const;
const policy = (
  changes: Partial<Omit<typeof fourEyes, 'levels' | 'onPep' | 'onConfirmedHit'>> & {
    levels?: ('low' | 'medium' | 'high')[];
    onPep?: boolean;
    onConfirmedHit?: boolean;
  } = {},
) => ({ fourEyes: { ...fourEyes, ...changes, levels: [...(changes.levels ?? fourEyes.levels)] } });

function code(run: () => void): string {
  try {
    run();
    return 'accepted';
  } catch (error) {
    return (error as Problem).code;
  }
}

describe('a second review', () => {
  it.each([
    ['basic', 'low'],
    ['standard', 'medium'],
    ['enhanced', 'high'],
  ] as const)('is required at the level %s if the policy names %s risk', (level, risk) => {
    for (const levels of [['low'], ['medium'], ['high']] as const) {
      expect(fourEyesReasons({ level, applicant }, policy({ levels: [...levels] }), null)).toEqual(
        levels[0] === risk ? [`level_${level}`] : [],
      );
    }
  });

  it('is required if a public office is declared, unless the policy does not demand that, and lists every reason', () => {
    expect(fourEyesReasons({ level: 'basic', applicant: exposed }, policy(), null)).toEqual(['pep_declared']);
    expect(
      fourEyesReasons(
        { level: 'basic', applicant: { ...applicant, pepDeclaration: { isPep: false } } },
        policy(),
        null,
      ),
    ).toEqual([]);
    expect(fourEyesReasons({ level: 'basic', applicant: exposed }, policy({ onPep: false }), null)).toEqual([]);
    expect(fourEyesReasons({ level: 'enhanced', applicant: exposed }, policy(), null)).toEqual([
      'level_enhanced',
      'pep_declared',
    ]);
  });

  it('is required if a confirmed hit leaves something to decide, unless the policy does not demand that', () => {
    const about = { level: 'basic', applicant } as const;
    expect(fourEyesReasons(about, policy(), { confirmed: ['pep', 'watchlist'] })).toEqual(['hit_confirmed']);
    expect(fourEyesReasons(about, policy({ onConfirmedHit: false }), { confirmed: ['pep'] })).toEqual([]);
    expect(fourEyesReasons(about, policy(), { confirmed: [] })).toEqual([]);
    expect(fourEyesReasons(about, policy(), { confirmed: ['pep', 'sanction'] })).toEqual([]);
    expect([isLowRisk(about, { confirmed: [] }), isLowRisk(about, { confirmed: ['pep'] })]).toEqual([true, false]);
  });
});

describe('a machine', () => {
  it('does not decide about high risk, whatever the policy demands of people', () => {
    for (const kind of ['api_key', 'oauth_client'] as const) {
      expect(code(() => assertMayDecide({ kind }, { level: 'enhanced', applicant }, null))).toBe('human_required');
      expect(code(() => assertMayDecide({ kind }, { level: 'basic', applicant: exposed }, null))).toBe(
        'human_required',
      );
      expect(code(() => assertMayDecide({ kind }, { level: 'basic', applicant }, { confirmed: ['pep'] }))).toBe(
        'human_required',
      );
      expect(code(() => assertMayDecide({ kind }, { level: 'standard', applicant }, null))).toBe('accepted');
    }
    expect(code(() => assertMayDecide({ kind: 'user' }, { level: 'enhanced', applicant: exposed }, null))).toBe(
      'accepted',
    );
  });
});

describe('an approval', () => {
  const now = businessTimeAt('2026-08-31T14:02:00.000Z');
  const validityByRisk = { low: 60, medium: 36, high: 5 };
  const after = (level: ApplicationRecord['level'], outcome: 'approve' | 'reject') =>
    decided(
      { level, applicant } as ApplicationRecord,
      { outcome, reasonCodes: ['identity_confirmed'] },
      { validityByRisk },
      now,
    );

  it.each([
    ['basic', '2031-08-31T14:02:00.000Z', '2028-08-31T14:02:00.000Z'],
    ['standard', '2029-08-31T14:02:00.000Z', '2027-08-31T14:02:00.000Z'],
    ['enhanced', '2027-01-31T14:02:00.000Z', '2027-01-31T14:02:00.000Z'],
  ] as const)('at the level %s is valid until %s and due for review at %s', (level, validUntil, reviewDueAt) => {
    expect(after(level, 'approve')).toMatchObject({
      status: 'approved',
      statusReason: 'identity_confirmed',
      decidedAt: now.toISOString(),
      validUntil,
      reviewDueAt,
    });
  });

  it('has a validity, and a rejection has none', () => {
    expect(after('standard', 'reject')).toMatchObject({
      status: 'rejected',
      decidedAt: now.toISOString(),
      validUntil: null,
      reviewDueAt: null,
    });
  });
});
