/** Random expressions, models and facts for property tests, over a small catalogue with each type of fact. */
import fc from 'fast-check';
import type { Fact, FactCatalogue, Facts, FactType } from '../facts.ts';
import type { RiskExpression, RiskFactor, RiskInputs, RiskModel, RiskOperand } from '../model.ts';

const TYPES: Readonly<Record<string, FactType>> = {
  'x.text': 'string',
  'x.code': 'string',
  'x.number': 'number',
  'x.amount': 'number',
  'x.flag': 'boolean',
  'x.day': 'date',
  'x.many': 'string_list',
  'x.others': 'string_list',
};

export const CATALOGUE: FactCatalogue = new Map(
  Object.entries(TYPES).map(([path, type]): [string, Fact] => [
    path,
    {
      path,
      type,
      subjectTypes: ['individual'],
      source: 'test',
      description: '',
      pii: false,
      example: null,
      availableSince: '2026-01-01',
    },
  ]),
);

export const LISTS = { some: ['a', 'b'], none: [] };
export const LIST_KEYS: ReadonlySet<string> = new Set(Object.keys(LISTS));

const text = fc.constantFrom('a', 'b', 'c', 'd');
const number = fc.integer({ min: -3, max: 9 });
const day = fc.constantFrom('1990-02-28', '2026-11-26', '2027-01-01');
const texts = fc.array(text, { minLength: 1, maxLength: 3 });
const pathOf = (...types: readonly FactType[]) =>
  fc.constantFrom(...Object.keys(TYPES).filter((path) => types.includes(TYPES[path]!)));
const factOf = (...types: readonly FactType[]): fc.Arbitrary<RiskOperand> => pathOf(...types).map((fact) => ({ fact }));

/** Facts of the catalogue, each of which may be missing, and some of which are of another type than declared. */
export const facts: fc.Arbitrary<Facts> = fc.record(
  {
    'x.text': fc.option(text),
    'x.code': fc.oneof(text, number),
    'x.number': fc.option(number),
    'x.amount': fc.option(fc.double({ min: -5, max: 120, noNaN: true })),
    'x.flag': fc.option(fc.boolean()),
    'x.day': fc.oneof(day, fc.constant('not a day'), fc.constant(null)),
    'x.many': fc.array(text, { maxLength: 3 }),
    'x.others': fc.oneof(texts, text),
  },
  { requiredKeys: [] },
);

export const inputs: fc.Arbitrary<RiskInputs> = facts.map((known) => ({
  facts: known,
  lists: LISTS,
  today: '2026-11-26',
}));

const operandsOf = {
  string: fc.oneof(factOf('string'), text),
  number: fc.oneof(
    factOf('number'),
    number,
    factOf('string_list').map((fact): RiskOperand => ({ count: [fact] })),
    factOf('date').chain((fact) => fc.constantFrom<RiskOperand>({ daysSince: [fact] }, { yearsSince: [fact] })),
  ),
  date: fc.oneof(factOf('date'), day),
  boolean: fc.oneof(factOf('boolean'), fc.boolean()),
};

const ofOneType = (count: number) =>
  fc.oneof(...[operandsOf.number, operandsOf.date].map((one) => fc.array(one, { minLength: count, maxLength: count })));
const values = fc.oneof(
  texts.map((listed): RiskOperand => listed),
  fc.constantFrom(...Object.keys(LISTS)).map((list): RiskOperand => ({ list })),
  factOf('string_list'),
);

const comparison: fc.Arbitrary<RiskExpression> = fc.oneof(
  fc
    .tuple(fc.constantFrom('gt', 'gte', 'lt', 'lte'), ofOneType(2))
    .map(([operator, operands]) => ({ [operator]: operands })),
  fc
    .tuple(fc.constantFrom('eq', 'ne'), fc.oneof(...Object.values(operandsOf).map((one) => fc.tuple(one, one))))
    .map(([operator, operands]) => ({ [operator]: operands })),
  ofOneType(3).map((between) => ({ between })),
  fc.tuple(operandsOf.string, values).map((operands) => ({ in: operands })),
  fc.tuple(factOf('string_list'), operandsOf.string).map((contains) => ({ contains })),
  fc
    .tuple(fc.constantFrom('any', 'all'), factOf('string_list'), values)
    .map(([operator, ...operands]) => ({ [operator]: operands })),
  pathOf(...new Set(Object.values(TYPES))).map((fact) => ({ exists: [{ fact }] })),
  pathOf('boolean').map((fact) => ({ fact })),
);

/** Conditions without a type error. */
export const conditions: fc.Arbitrary<RiskExpression> = fc.letrec<{ condition: RiskExpression }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'condition' },
    comparison,
    fc
      .tuple(fc.constantFrom('and', 'or'), fc.array(tie('condition'), { minLength: 1, maxLength: 3 }))
      .map(([operator, operands]): RiskExpression => ({ [operator]: operands })),
    tie('condition').map((condition): RiskExpression => ({ not: [condition] })),
  ),
})).condition;

/** Scores and weights with up to four decimals. */
const score = fc.integer({ min: 0, max: 1_000_000 }).map((units) => units / 10_000);

const bands = fc
  .tuple(fc.uniqueArray(number, { minLength: 1, maxLength: 3 }), fc.array(score, { minLength: 4, maxLength: 4 }))
  .map(([edges, scores]) => {
    const sorted = [...edges].sort((one, other) => one - other);
    return [...sorted, undefined].map((lt, index) => ({
      ...(index > 0 && { gte: sorted[index - 1]! }),
      ...(lt !== undefined && { lt }),
      score: scores[index]!,
    }));
  });

const scored: fc.Arbitrary<Pick<RiskFactor, 'fact' | 'scoring'>> = fc.oneof(
  fc.record({
    fact: pathOf('number'),
    scoring: bands.map((made) => ({ by: 'bands' as const, bands: made })),
  }),
  fc.record({
    fact: pathOf('string', 'string_list'),
    scoring: fc.record({
      by: fc.constant('lookup' as const),
      lookup: fc.array(
        fc.record({
          match: fc.oneof(text, texts, fc.constant({ list: 'some' }), fc.constant({ list: 'none' })),
          score,
        }),
        { minLength: 1, maxLength: 4 },
      ),
      default: score,
    }),
  }),
  fc.record({
    fact: pathOf('boolean'),
    scoring: fc.record({
      by: fc.constant('when' as const),
      when: fc.array(fc.record({ expr: comparison, score }), { minLength: 1, maxLength: 3 }),
      default: score,
    }),
  }),
);

const factors = fc.array(fc.record({ scored, weight: score }), { minLength: 1, maxLength: 6 }).map((made) =>
  made.map(
    ({ scored: { fact, scoring }, weight }, index): RiskFactor => ({
      key: `factor_${index}`,
      label: `Factor ${index}`,
      category: 'customer',
      weight: weight === 0 && index === 0 ? 1 : weight,
      fact,
      scoring,
      rationale: 'A factor of a test.',
    }),
  ),
);

const hardRules = fc
  .array(
    fc.record({
      when: conditions,
      effect: fc.constantFrom('floor_medium', 'floor_high', 'prohibit', 'require_enhanced' as const),
    }),
    { maxLength: 3 },
  )
  .map((rules) => rules.map((rule, index) => ({ ...rule, key: `rule_${index}`, reasonCode: 'other' })));

/** Models without a fault, over the catalogue above. */
export const models: fc.Arbitrary<RiskModel> = fc.record({
  name: fc.constant('Random'),
  factors,
  hardRules: hardRules as fc.Arbitrary<RiskModel['hardRules']>,
  thresholds: fc.constantFrom({ medium: 30, high: 60 }, { medium: 40, high: 50.5 }, { medium: 0, high: 100 }),
  reviewMonths: fc.constant({ low: 24, medium: 12, high: 6 }),
  missingDataPolicy: fc.constantFrom('max_score', 'neutral', 'unscorable' as const),
});
