/** Tests of the comparison of two models, against scoring each subject by both. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addCompared, compareModels, levelCounts, noComparison, type Snapshot } from './compare.ts';
import type { RiskModel } from './model.ts';
import { assessRisk } from './score.ts';
import { CATALOGUE, facts, LISTS, models } from './testing/random-models.ts';

const snapshots = fc.array(
  fc.record({
    facts,
    today: fc.constantFrom('2025-12-31', '2026-11-26'),
    decided: fc.constantFrom('approved', 'rejected', null),
  }),
  { minLength: 5, maxLength: 20 },
);

function levelBy(model: RiskModel, { facts: known, today }: Snapshot) {
  const outcome = assessRisk(model, { facts: known, lists: LISTS, today });
  return 'unscorable' in outcome || today < '2026-01-01' ? null : outcome.level;
}

it('The counts, the matrix and the agreement are those of scoring each subject by both models', () => {
  fc.assert(
    fc.property(models, models, snapshots, (before, after, population) => {
      const [from, to] = [before, after].map((model) => ({ model, lists: LISTS }));
      const totals = population
        .map((snapshot) => compareModels(from!, to!, snapshot, CATALOGUE))
        .reduce(addCompared, noComparison());
      const levels = population
        .map((snapshot) => ({
          decided: snapshot.decided,
          from: levelBy(before, snapshot),
          to: levelBy(after, snapshot),
        }))
        .filter((one) => one.from !== null && one.to !== null);
      const count = (is: (one: (typeof levels)[number]) => boolean) => levels.filter(is).length;
      const isHigh = (level: string | null) => level === 'high' || level === 'prohibited';
      expect([totals.scored, totals.unscorable]).toEqual([levels.length, population.length - levels.length]);
      expect(totals.matrix.low.high).toBe(count((one) => one.from === 'low' && one.to === 'high'));
      expect(levelCounts(totals).after.medium).toBe(count((one) => one.to === 'medium'));
      expect(levelCounts(totals).before.prohibited).toBe(count((one) => one.from === 'prohibited'));
      expect(totals.agreement).toEqual({
        rejected: count((one) => one.decided === 'rejected'),
        rejectedCaughtBefore: count((one) => one.decided === 'rejected' && isHigh(one.from)),
        rejectedCaughtAfter: count((one) => one.decided === 'rejected' && isHigh(one.to)),
        approved: count((one) => one.decided === 'approved'),
        approvedNowHigh: count((one) => one.decided === 'approved' && isHigh(one.to)),
      });
    }),
    { numRuns: 300 },
  );
});

const model = (changes: Partial<RiskModel>): RiskModel => ({
  name: 'Test',
  factors: [],
  hardRules: [],
  thresholds: { medium: 40, high: 70 },
  reviewMonths: { low: 24, medium: 12, high: 6 },
  missingDataPolicy: 'max_score',
  ...changes,
});
const factor = (key: string, fact: string, score: number): RiskModel['factors'][number] => ({
  key,
  label: key,
  category: 'customer',
  weight: 1,
  fact,
  scoring: { by: 'lookup', lookup: [{ match: 'a', score }], default: 0 },
  rationale: 'A factor of a test.',
});

it('Who moves is shown with the factors whose points changed most', () => {
  const before = { model: model({ factors: [factor('text', 'x.text', 10), factor('code', 'x.code', 0)] }), lists: {} };
  const after = { model: model({ factors: [factor('text', 'x.text', 20), factor('code', 'x.code', 90)] }), lists: {} };
  const snapshot: Snapshot = { facts: { 'x.text': 'a', 'x.code': 'a' }, today: '2026-11-26', decided: null };
  expect(compareModels(before, after, snapshot, CATALOGUE)).toEqual({
    unscorable: false,
    from: 'low',
    to: 'medium',
    decided: null,
    topFactors: ['code', 'text'],
  });
});

it('A model cannot score a snapshot from before one of its facts was captured', () => {
  const pinned = { model: model({ factors: [factor('text', 'x.text', 10)] }), lists: {} };
  const snapshot: Snapshot = { facts: { 'x.text': 'a' }, today: '2025-12-31', decided: null };
  expect(compareModels(pinned, pinned, snapshot, CATALOGUE)).toEqual({ unscorable: true });
});
