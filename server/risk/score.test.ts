/** Tests of scores and of what would change them, over random models. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelFaults } from './check-model.ts';
import { counterfactualsOf } from './counterfactuals.ts';
import type { RiskInputs, RiskModel, RiskOutcome } from './model.ts';
import { assessRisk, LEVELS } from './score.ts';
import { CATALOGUE, inputs, LIST_KEYS, models } from './testing/random-models.ts';

const cases = fc.record({ model: models, given: inputs });

/** Returns a decimal text in ten-thousandths. */
const units = (text: string): bigint => BigInt(text.replace('.', ''));

function scored(model: RiskModel, given: RiskInputs): RiskOutcome | null {
  const outcome = assessRisk(model, given);
  return 'unscorable' in outcome ? null : outcome;
}

describe('Over 10,000 random models', () => {
  it('none has a fault, and the points of the factors add up to the score', () => {
    let scoredModels = 0;
    fc.assert(
      fc.property(cases, ({ model, given }) => {
        expect(modelFaults(model, CATALOGUE, LIST_KEYS)).toEqual([]);
        const outcome = scored(model, given);
        if (outcome === null) return;
        scoredModels += 1;
        const points = outcome.contributions.map((one) => units(one.points));
        expect(points.reduce((total, one) => total + one, 0n)).toBe(units(outcome.score));
        expect(Number(outcome.score)).toBeLessThanOrEqual(100);
      }),
      { numRuns: 10_000 },
    );
    expect(scoredModels).toBeGreaterThan(5000);
  });
});

describe('Over random models', () => {
  it('hard rules never lower the level, and never move the score', () => {
    let raised = 0;
    fc.assert(
      fc.property(cases, ({ model, given }) => {
        const [with_, without] = [scored(model, given), scored({ ...model, hardRules: [] }, given)];
        if (with_ === null || without === null) return;
        expect(LEVELS.indexOf(with_.level)).toBeGreaterThanOrEqual(LEVELS.indexOf(with_.baseLevel));
        expect({ score: with_.score, level: with_.baseLevel }).toEqual({ score: without.score, level: without.level });
        raised += Number(with_.level !== with_.baseLevel);
      }),
      { numRuns: 3000 },
    );
    expect(raised).toBeGreaterThan(100);
  });

  it('every counterfactual holds when its change is made, and moves the level by one step', () => {
    let tried = 0;
    fc.assert(
      fc.property(cases, ({ model, given }) => {
        const before = scored(model, given);
        const found = counterfactualsOf(model, given, CATALOGUE);
        expect(found.length).toBeLessThanOrEqual(10);
        for (const { fact, to, newScore, newLevel } of found) {
          const changed = { ...given, facts: { ...given.facts, [fact]: valueOf(to) } };
          expect(scored(model, changed)).toMatchObject({ score: newScore, level: newLevel });
          expect(Math.abs(LEVELS.indexOf(newLevel) - LEVELS.indexOf(before!.level))).toBe(1);
          tried += 1;
        }
      }),
      { numRuns: 3000 },
    );
    expect(tried).toBeGreaterThan(500);
  });
});

/** Makes the change that a counterfactual states. */
function valueOf({ value, other, gte, lt = 0 }: ReturnType<typeof counterfactualsOf>[number]['to']) {
  if (value !== undefined) return value;
  if (other === true) return 'a text that no row names';
  return gte ?? lt - 0.0001;
}
