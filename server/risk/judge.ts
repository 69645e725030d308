/** Judges the parts of a model, each for itself: what a factor scores, and whether a hard rule fires. */
import { unitsOf } from './decimal.ts';
import { Evaluation, isMissing, type Judged, setOf } from './evaluate.ts';
import type { FactValue } from './facts.ts';
import type { RiskExpression, RiskFactor, RiskInputs, RiskModel, RiskScoring } from './model.ts';

type Lookup = Extract<RiskScoring, { by: 'lookup' }>;
type Match = Lookup['lookup'][number]['match'];

/** What a factor scores, in ten-thousandths; null if what it needs is missing. */
export interface FactorJudged {
  readonly score: bigint | null;
  readonly missing: readonly string[];
}

/** All parts of a model, judged. */
export interface Judgement {
  readonly factors: readonly FactorJudged[];
  readonly rules: readonly Judged[];
  /** How many operands of expressions, and rows of tables, were visited. */
  readonly steps: number;
}

/**
 * Judges a model. With `again`, only these factors and rules are judged, and the others are taken from `earlier`.
 */
export function judge(
  model: RiskModel,
  inputs: RiskInputs,
  again?: { readonly earlier: Judgement; readonly factors: ReadonlySet<number>; readonly rules: ReadonlySet<number> },
): Judgement {
  const evaluation = new Evaluation(inputs);
  const factors = model.factors.map((factor, index) =>
    again === undefined || again.factors.has(index)
      ? judgeFactor(factor, inputs, evaluation)
      : again.earlier.factors[index]!,
  );
  const rules = model.hardRules.map(({ when }, index) =>
    again === undefined || again.rules.has(index) ? evaluation.judge(when) : again.earlier.rules[index]!,
  );
  return { factors, rules, steps: evaluation.steps };
}

function judgeFactor({ fact, scoring }: RiskFactor, inputs: RiskInputs, evaluation: Evaluation): FactorJudged {
  if (scoring.by === 'when') return judgeRows(scoring, evaluation);
  const value = Object.hasOwn(inputs.facts, fact) ? inputs.facts[fact] : null;
  const absent: FactorJudged = { score: null, missing: [fact] };
  if (isMissing(value)) return absent;
  evaluation.steps += tableLength(scoring) * (Array.isArray(value) ? value.length : 1);
  const score = scoring.by === 'lookup' ? lookUp(scoring, value, inputs) : bandOf(scoring, value)?.score;
  return score === undefined ? absent : { score: unitsOf(score), missing: [] };
}

function tableLength(scoring: Exclude<RiskScoring, { by: 'when' }>): number {
  return scoring.by === 'lookup' ? scoring.lookup.length : scoring.bands.length;
}

/** Returns the score of a value; of several values, the highest. */
function lookUp(scoring: Lookup, value: Exclude<FactValue, null>, inputs: RiskInputs): number {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return Math.max(...values.map((one) => rowOf(scoring, one, inputs)?.score ?? scoring.default));
}

/** Returns the first row of a table that matches a value. */
export function rowOf({ lookup }: Lookup, value: unknown, { lists }: Pick<RiskInputs, 'lists'>) {
  return lookup.find(({ match }) =>
    typeof match === 'object' ? valuesOfMatch(match, lists).has(value) : match === value,
  );
}

const NO_VALUES: readonly string[] = [];

/** Returns the values that a row matches. */
export function valuesOfMatch(match: Match, lists: RiskInputs['lists']): ReadonlySet<unknown> {
  if (typeof match !== 'object') return new Set([match]);
  if (Array.isArray(match)) return setOf(match);
  return setOf(Object.hasOwn(lists, match.list) ? lists[match.list]! : NO_VALUES);
}

/** Returns the band that holds a value. */
export function bandOf({ bands }: Extract<RiskScoring, { by: 'bands' }>, value: unknown) {
  if (typeof value !== 'number') return undefined;
  return bands.find(({ gte = -Infinity, lt = Infinity }) => gte <= value && value < lt);
}

/** Takes the rows in order. One that cannot be judged, before one that is true, leaves the factor without a score. */
function judgeRows(scoring: Extract<RiskScoring, { by: 'when' }>, evaluation: Evaluation): FactorJudged {
  for (const { expr, score } of scoring.when) {
    const { value, missing } = evaluation.judge(expr);
    if (value === true) return { score: unitsOf(score), missing: [] };
    if (value === null) return { score: null, missing };
  }
  return { score: unitsOf(scoring.default), missing: [] };
}

/** Returns the highest score that a factor can give, in ten-thousandths. */
export function highestScore(scoring: RiskScoring): bigint {
  return unitsOf(Math.max(...scoresOf(scoring)));
}

/** Returns all scores that a factor can give. */
export function scoresOf(scoring: RiskScoring): number[] {
  switch (scoring.by) {
    case 'lookup':
      return [...scoring.lookup.map(({ score }) => score), scoring.default];
    case 'bands':
      return scoring.bands.map(({ score }) => score);
    case 'when':
      return [...scoring.when.map(({ score }) => score), scoring.default];
  }
}

/** Returns the expressions of a factor. */
export function expressionsOf(scoring: RiskScoring): readonly RiskExpression[] {
  return scoring.by === 'when' ? scoring.when.map(({ expr }) => expr) : [];
}
