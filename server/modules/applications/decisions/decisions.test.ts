/** Tests of the rules for decisions: when a second person is required, and what a machine may decide. */
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../contract/problem.ts';
import { recordApplicant } from '../record/applicant.ts';
import type { ApplicationRecord } from '../record/application.ts';
import type { CurrentRisk } from '../evidence/risk-store.ts';
import { assertMayDecide, decided, type Findings, fourEyesReasons, isLowRisk } from './decisions.ts';
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

type Levels = 'low' | 'medium' | 'high' | 'prohibited';

/** Returns an assessment with a level, by the shipped model. */
const risk = (level: Levels, changes: Partial<CurrentRisk> = {}): CurrentRisk => ({
  id: '0197f2f8-53dd-7e4f-9051-6c7d8e9fa0b1' as CurrentRisk['id'],
  modelNumber: 1,
  modelChecksum: '0'.repeat(64),
  score: 100_000,
  level,
  effectiveLevel: level,
  requiresEnhanced: false,
  isOverridden: false,
  reviewMonths: null,
  ...changes,
});
const about = { level: 'basic', applicant } as const;
const found = (level: Levels, changes: Partial<CurrentRisk> = {}) => ({ screening: null, risk: risk(level, changes) });
const hit = (...confirmed: NonNullable<Findings['screening']>['confirmed'][number][]) => ({
  screening: { confirmed },
  risk: risk('low'),
});

describe('a second review', () => {
  it.each(['low', 'medium', 'high'] as const)('is required at %s risk if the policy names that level', (level) => {
    for (const levels of [['low'], ['medium'], ['high']] as const) {
      expect(fourEyesReasons(about, policy({ levels: [...levels] }), found(level))).toEqual(
        levels[0] === level ? [`risk_${level}`] : [],
      );
    }
  });

  it('is required as at high risk if there is no assessment, and not if the risk is prohibited', () => {
    expect(fourEyesReasons(about, policy(), { screening: null, risk: null })).toEqual(['risk_not_assessed']);
    expect(fourEyesReasons(about, policy({ levels: ['low'] }), { screening: null, risk: null })).toEqual([]);
    expect(fourEyesReasons(about, policy(), found('prohibited'))).toEqual([]);
  });

  it('is required if the level is overridden: a lower one always, a higher one if the policy demands that', () => {
    const lowered = found('high', { effectiveLevel: 'low', isOverridden: true });
    const raised = found('low', { effectiveLevel: 'medium', isOverridden: true });
    const [strict, lenient] = [policy(), { fourEyes: { ...policy().fourEyes, onOverride: false } }];
    expect([lowered, raised].map((findings) => fourEyesReasons(about, strict, findings))).toEqual([
      ['risk_overridden'],
      ['risk_overridden'],
    ]);
    expect([lowered, raised].map((findings) => fourEyesReasons(about, lenient, findings))).toEqual([
      ['risk_overridden'],
      [],
    ]);
  });

  it('is required if a public office is declared, unless the policy does not demand that, and lists every reason', () => {
    const ofExposed = { level: 'basic', applicant: exposed } as const;
    expect(fourEyesReasons(ofExposed, policy(), found('low'))).toEqual(['pep_declared']);
    expect(
      fourEyesReasons(
        { level: 'basic', applicant: { ...applicant, pepDeclaration: { isPep: false } } },
        policy(),
        found('low'),
      ),
    ).toEqual([]);
    expect(fourEyesReasons(ofExposed, policy({ onPep: false }), found('low'))).toEqual([]);
    expect(fourEyesReasons(ofExposed, policy(), found('high'))).toEqual(['risk_high', 'pep_declared']);
  });

  it('is required if a confirmed hit leaves something to decide, unless the policy does not demand that', () => {
    expect(fourEyesReasons(about, policy(), hit('pep', 'watchlist'))).toEqual(['hit_confirmed']);
    expect(fourEyesReasons(about, policy({ onConfirmedHit: false }), hit('pep'))).toEqual([]);
    expect(fourEyesReasons(about, policy(), hit())).toEqual([]);
    expect(fourEyesReasons(about, policy(), hit('pep', 'sanction'))).toEqual([]);
  });
});

describe('risk', () => {
  it.each<[string, Findings, boolean]>([
    ['by the assessment', found('low'), true],
    ['if it is medium', found('medium'), false],
    ['if a rule demands enhanced diligence', found('low', { requiresEnhanced: true }), false],
    ['if a person made it so', found('high', { effectiveLevel: 'low', isOverridden: true }), false],
    ['if a hit is confirmed', hit('pep'), false],
    ['without an assessment', { screening: null, risk: null }, false],
  ])('is low or not %s', (_, findings, isLow) => {
    expect(isLowRisk(about, findings)).toBe(isLow);
  });

  it('is not low if a public office is declared, or the diligence is enhanced', () => {
    expect(isLowRisk({ level: 'basic', applicant: exposed }, found('low'))).toBe(false);
    expect(isLowRisk({ level: 'enhanced', applicant }, found('low'))).toBe(false);
    expect(isLowRisk({ level: 'standard', applicant }, found('low'))).toBe(true);
  });
});

describe('a machine', () => {
  it('does not decide about high risk, whatever the policy demands of people', () => {
    const answer = (kind: 'api_key' | 'oauth_client' | 'user', assessed: typeof about, findings: Findings) =>
      code(() => assertMayDecide({ kind }, assessed, findings));
    const ofExposed = { level: 'basic', applicant: exposed } as typeof about;
    for (const kind of ['api_key', 'oauth_client'] as const) {
      expect(answer(kind, about, found('high'))).toBe('human_required');
      expect(answer(kind, about, found('prohibited'))).toBe('human_required');
      expect(answer(kind, about, { screening: null, risk: null })).toBe('human_required');
      expect(answer(kind, ofExposed, found('low'))).toBe('human_required');
      expect(answer(kind, about, hit('pep'))).toBe('human_required');
      expect(answer(kind, about, found('medium'))).toBe('accepted');
    }
    expect(answer('user', ofExposed, found('high'))).toBe('accepted');
  });
});

describe('an approval', () => {
  const now = businessTimeAt('2026-08-31T14:02:00.000Z');
  const rules = { validityByRisk: { low: 60, medium: 36, high: 5 } };
  const after = (current: CurrentRisk | null, outcome: 'approve' | 'reject') =>
    decided(
      about as unknown as ApplicationRecord,
      { outcome, reasonCodes: ['identity_confirmed'] },
      { policy: { rules }, risk: current },
      now,
    );

  it.each([
    ['low risk', risk('low'), '2031-08-31T14:02:00.000Z', '2028-08-31T14:02:00.000Z'],
    ['medium risk', risk('medium'), '2029-08-31T14:02:00.000Z', '2027-08-31T14:02:00.000Z'],
    ['high risk', risk('high'), '2027-01-31T14:02:00.000Z', '2027-01-31T14:02:00.000Z'],
    ['unknown risk', null, '2027-01-31T14:02:00.000Z', '2027-01-31T14:02:00.000Z'],
    [
      'low risk by a model with months of its own',
      risk('low', { reviewMonths: { low: 3, medium: 2, high: 1 } }),
      '2031-08-31T14:02:00.000Z',
      '2026-11-30T14:02:00.000Z',
    ],
  ] as const)('at %s is valid, and due for review, by the level', (_, current, validUntil, reviewDueAt) => {
    expect(after(current, 'approve')).toMatchObject({
      status: 'approved',
      statusReason: 'identity_confirmed',
      decidedAt: now.toISOString(),
      validUntil,
      reviewDueAt,
    });
  });

  it('has a validity, and a rejection has none', () => {
    expect(after(risk('low'), 'reject')).toMatchObject({
      status: 'rejected',
      decidedAt: now.toISOString(),
      validUntil: null,
      reviewDueAt: null,
    });
  });
});
