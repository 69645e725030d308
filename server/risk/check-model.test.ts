/** Tests of the faults of models, and of what the counterfactuals of a large model cost. */
import { describe, expect, it } from 'vitest';
import { factsOf, listsOf, modelFaults } from './check-model.ts';
import { counterfactualsOf } from './counterfactuals.ts';
import type { RiskExpression, RiskFactor, RiskModel, RiskScoring } from './model.ts';
import { assessRisk } from './score.ts';
import { CATALOGUE, LIST_KEYS, LISTS } from './testing/random-models.ts';

const factor = (fact: string, scoring: RiskScoring, changes: Partial<RiskFactor> = {}): RiskFactor => ({
  key: 'one',
  label: 'One',
  category: 'customer',
  weight: 1,
  fact,
  scoring,
  rationale: 'A factor of a test.',
  ...changes,
});
const lookup = (match: Extract<RiskScoring, { by: 'lookup' }>['lookup'][number]['match']): RiskScoring => ({
  by: 'lookup',
  lookup: [{ match, score: 10 }],
  default: 0,
});
const bands = (...made: Extract<RiskScoring, { by: 'bands' }>['bands']): RiskScoring => ({ by: 'bands', bands: made });

const model = (changes: Partial<RiskModel> = {}): RiskModel => ({
  name: 'Test',
  factors: [factor('x.text', lookup('a'))],
  hardRules: [],
  thresholds: { medium: 40, high: 70 },
  reviewMonths: { low: 24, medium: 12, high: 6 },
  missingDataPolicy: 'max_score',
  ...changes,
});
const ofFactor = (...made: RiskFactor[]) => model({ factors: made });
const rule = (when: RiskExpression): RiskModel['hardRules'][number] => ({
  key: 'rule',
  when,
  effect: 'floor_high',
  reasonCode: 'other',
});
const faultsOf = (made: RiskModel) =>
  modelFaults(made, CATALOGUE, LIST_KEYS).map(({ code, pointer }) => `${code} ${pointer}`);

describe('A model is refused', () => {
  it.each<[string, RiskModel, string[]]>([
    ['if all weights are zero', ofFactor(factor('x.text', lookup('a'), { weight: 0 })), ['weights_sum_zero /factors']],
    [
      'if the thresholds are inverted',
      model({ thresholds: { medium: 70, high: 40 } }),
      ['thresholds_inverted /thresholds/high'],
    ],
    [
      'if there is a gap between bands',
      ofFactor(factor('x.number', bands({ gte: 11, score: 1 }, { lt: 10, score: 2 }))),
      ['band_gap /factors/0/scoring/bands/0'],
    ],
    [
      'if bands overlap',
      ofFactor(factor('x.number', bands({ lt: 10, score: 1 }, { gte: 9, score: 2 }))),
      ['band_overlap /factors/0/scoring/bands/1'],
    ],
    [
      'if two bands are open at the same end',
      ofFactor(factor('x.number', bands({ lt: 10, score: 1 }, { score: 2 }))),
      ['band_overlap /factors/0/scoring/bands/1'],
    ],
    [
      'if a band is upside down',
      ofFactor(factor('x.number', bands({ gte: 3, lt: 3, score: 1 }))),
      ['band_overlap /factors/0/scoring/bands/0'],
    ],
    ['if a fact is unknown', ofFactor(factor('x.gone', lookup('a'))), ['unknown_fact /factors/0/fact']],
    [
      'if a list is unknown',
      ofFactor(factor('x.text', lookup({ list: 'gone' }))),
      ['unknown_reference_list /factors/0/scoring/lookup/0/match/list'],
    ],
    [
      'if a row is of another type than the fact',
      ofFactor(factor('x.number', lookup(['a', 1]))),
      ['expression_type_error /factors/0/scoring/lookup/0/match/0'],
    ],
    [
      'if a list of texts is compared with a number',
      ofFactor(factor('x.number', lookup({ list: 'some' }))),
      ['expression_type_error /factors/0/scoring/lookup/0/match/list'],
    ],
    [
      'if bands are for a text',
      ofFactor(factor('x.text', bands({ score: 1 }))),
      ['expression_type_error /factors/0/scoring/bands'],
    ],
    [
      'if two factors have one key',
      ofFactor(factor('x.text', lookup('a')), factor('x.text', lookup('b'))),
      ['duplicate_key /factors/1/key'],
    ],
    [
      'if a weight has five decimals',
      ofFactor(factor('x.text', lookup('a'), { weight: 0.12345 })),
      ['too_many_decimals /factors/0/weight'],
    ],
    [
      'if a rule compares a number with a text',
      model({ hardRules: [rule({ gt: [{ fact: 'x.number' }, 'ten'] })] }),
      ['expression_type_error /hardRules/0/when/gt/1'],
    ],
    [
      'for all its faults at once',
      model({ thresholds: { medium: 1, high: 1 }, hardRules: [rule({ exists: [{ fact: 'x.gone' }] })] }),
      ['thresholds_inverted /thresholds/high', 'unknown_fact /hardRules/0/when/exists/0/fact'],
    ],
  ])('%s', (_, made, faults) => {
    expect(faultsOf(made)).toEqual(faults);
  });
});

describe('A model', () => {
  it('names the facts and the lists that it reads', () => {
    const made = model({
      factors: [
        factor('x.text', lookup({ list: 'some' })),
        factor('x.number', { by: 'when', when: [{ expr: { fact: 'x.flag' }, score: 1 }], default: 0 }, { key: 'two' }),
      ],
      hardRules: [rule({ any: [{ fact: 'x.many' }, { list: 'none' }] })],
    });
    expect({ faults: faultsOf(made), facts: factsOf(made), lists: listsOf(made) }).toEqual({
      faults: [],
      facts: ['x.flag', 'x.many', 'x.text'],
      lists: ['none', 'some'],
    });
  });

  it('of the largest size has its counterfactuals in bounded time', () => {
    const rows = Array.from({ length: 100 }, (_, index) => ({ match: `value_${index}`, score: 99 - index }));
    const or = Array.from({ length: 100 }, () => ({ eq: [{ fact: 'x.text' }, 'never'] }));
    const large = model({
      factors: Array.from({ length: 40 }, (_, index) =>
        factor('x.text', { by: 'lookup', lookup: rows, default: 0 }, { key: `factor_${index}` }),
      ),
      hardRules: Array.from({ length: 40 }, (_, index) => ({ ...rule({ or }), key: `rule_${index}` })),
    });
    const before = process.cpuUsage();
    const found = counterfactualsOf(large, { facts: {}, lists: LISTS, today: '2026-11-26' });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(2);
    expect(found).toMatchObject([{ newLevel: 'medium' }]);
  });

  it('gives no score if nothing that counts is known', () => {
    const given = { facts: {}, lists: LISTS, today: '2026-11-26' };
    expect(assessRisk(model({ missingDataPolicy: 'neutral' }), given)).toEqual({
      unscorable: true,
      missingFacts: ['x.text'],
    });
  });
});
