/** Tests of scores, levels and refusals against the vectors of two independent implementations. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { modelFaults } from './check-model.ts';
import { counterfactualsOf } from './counterfactuals.ts';
import type { Fact, Facts, FactType, ReferenceLists } from './facts.ts';
import type { RiskModel, RiskOutcome } from './model.ts';
import { assessRisk } from './score.ts';

/**
 * Vectors beside the project in its development environment. Without them, there is nothing to compare with here, and
 * the properties that the other tests of this folder state replace them.
 */
const VECTORS = new URL('../../../shared/vectors/risk/', import.meta.url);
const isThere = existsSync(VECTORS);

interface Vector {
  readonly id: string;
  readonly title: string;
  readonly asOf: string;
  readonly model: Pick<RiskModel, 'thresholds' | 'hardRules' | 'missingDataPolicy'> & {
    readonly factors: readonly (RiskModel['factors'][number] & { readonly scoring: object })[];
    readonly lists: ReferenceLists;
  };
  readonly facts: Facts;
  readonly factCatalogue: Readonly<Record<string, FactType | 'string[]'>>;
  readonly expect: Omit<RiskOutcome, 'score' | 'contributions' | 'hardRulesFired'> & {
    readonly score: { readonly rounded: string };
    readonly hardRulesFired: readonly string[];
    readonly contributions: readonly { readonly score: string | null; readonly weight: string }[];
    readonly counterfactuals: readonly object[];
    readonly refused?: { readonly status: number; readonly codes: readonly string[] };
  };
}

function vectors(file: string): readonly Vector[] {
  if (!isThere) return [];
  return (JSON.parse(readFileSync(new URL(file, VECTORS), 'utf8')) as { cases: Vector[] }).cases;
}

/** Returns a model of the vectors in the form of the contract, which names the way of scoring. */
function modelOf({ model }: Vector): RiskModel {
  const by = (scoring: object) => ['lookup', 'bands', 'when'].find((way) => way in scoring);
  return {
    name: 'Vector',
    reviewMonths: { low: 24, medium: 12, high: 6 },
    ...model,
    factors: model.factors.map((factor) => ({ ...factor, scoring: { ...factor.scoring, by: by(factor.scoring) } })),
  } as RiskModel;
}

/** Whole numbers of the vectors have no decimals. */
const exact = (text: string | null) => (text === null ? null : Number(text).toFixed(4));

describe('The vectors', () => {
  it('are read, where they are there', () => {
    expect(vectors('cases.json').length > 0).toBe(isThere);
  });

  it.each(vectors('cases.json'))('$id hold: $title', (vector) => {
    const inputs = { facts: vector.facts, lists: vector.model.lists, today: vector.asOf };
    const outcome = assessRisk(modelOf(vector), inputs);
    const counterfactuals = counterfactualsOf(modelOf(vector), inputs);
    const { refused, score, contributions, hardRulesFired, ...expected } = vector.expect;
    if (refused !== undefined) {
      expect({ outcome, counterfactuals }).toMatchObject({ outcome: { unscorable: true }, counterfactuals: [] });
      return;
    }
    const { counterfactuals: expectedChanges, ...rest } = expected;
    expect(counterfactuals).toEqual(expectedChanges);
    expect(outcome).toMatchObject({
      ...rest,
      score: score.rounded,
      hardRulesFired: hardRulesFired.map((key) => ({ key })),
      contributions: contributions.map((one) => ({ ...one, score: exact(one.score), weight: exact(one.weight) })),
    });
  });

  it.each(vectors('models.json'))('$id are refused: $title', (vector) => {
    const catalogue = new Map(
      Object.entries(vector.factCatalogue).map(([path, type]) => [
        path,
        { path, type: type === 'string[]' ? 'string_list' : type } as Fact,
      ]),
    );
    const faults = modelFaults(modelOf(vector), catalogue, new Set());
    expect(faults.map(({ code }) => code)).toEqual(vector.expect.refused?.codes);
  });
});
