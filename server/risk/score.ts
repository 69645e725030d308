/** Adds up what the parts of a model say about a subject: score, shares of the factors, level. */
import { decimalText, halfEven, splitExactly, unitsOf } from './decimal.ts';
import { isMissing } from './evaluate.ts';
import type { FactValue } from './facts.ts';
import { highestScore, judge, type Judgement } from './judge.ts';
import type {
  RiskContribution,
  RiskFactor,
  RiskInputs,
  RiskLevel,
  RiskModel,
  RiskOutcome,
  RiskRuleFired,
  Unscorable,
} from './model.ts';

/** The levels, from the lowest to the highest. */
export const LEVELS = ['low', 'medium', 'high', 'prohibited'] as const satisfies readonly RiskLevel[];

/** A factor with the score that counts, in ten-thousandths; null if the factor does not count. */
interface Counted {
  readonly factor: RiskFactor;
  readonly isMissing: boolean;
  readonly score: bigint | null;
}

/** A score in ten-thousandths, the levels that follow, and what they follow from. */
export interface Summed {
  readonly score: bigint;
  readonly baseLevel: RiskLevel;
  readonly level: RiskLevel;
  readonly counted: readonly Counted[];
}

/** Scores a subject by a model that `modelFaults` finds no fault in. */
export function assessRisk(model: RiskModel, inputs: RiskInputs): RiskOutcome | Unscorable {
  const judgement = judge(model, inputs);
  const missingFacts = missingOf(judgement);
  const summed = sum(model, judgement);
  if (summed === null) return { unscorable: true, missingFacts };
  const hardRulesFired = fired(model, judgement);
  return {
    score: decimalText(summed.score),
    baseLevel: summed.baseLevel,
    level: summed.level,
    contributions: contributionsOf(summed.counted, inputs),
    hardRulesFired,
    requireEnhanced: hardRulesFired.some(({ effect }) => effect === 'require_enhanced'),
    missingFacts,
  };
}

/** Returns the score and the levels; null if the model's policy for missing data, or zero weights, leave no score. */
export function sum(model: RiskModel, judgement: Judgement): Summed | null {
  const isGap = judgement.factors.some(({ score }) => score === null);
  if (isGap && model.missingDataPolicy === 'unscorable') return null;
  const counted = model.factors.map((factor, index): Counted => {
    const { score } = judgement.factors[index]!;
    if (score !== null) return { factor, isMissing: false, score };
    return {
      factor,
      isMissing: true,
      score: model.missingDataPolicy === 'neutral' ? null : highestScore(factor.scoring),
    };
  });
  const { numerators, weights } = ratioOf(counted);
  if (weights === 0n) return null;
  const score = halfEven(
    numerators.reduce((total, numerator) => total + numerator, 0n),
    weights,
  );
  const baseLevel = levelOf(score, model.thresholds);
  return {
    score,
    baseLevel,
    level: raised(baseLevel, fired(model, judgement)),
    counted,
  };
}

/** The score is the sum of the numerators, divided by the weights that count. */
function ratioOf(counted: readonly Counted[]): { numerators: bigint[]; weights: bigint } {
  const weightOf = ({ factor, score }: Counted) => (score === null ? 0n : unitsOf(factor.weight));
  return {
    numerators: counted.map((one) => weightOf(one) * (one.score ?? 0n)),
    weights: counted.reduce((total, one) => total + weightOf(one), 0n),
  };
}

function levelOf(score: bigint, { medium, high }: RiskModel['thresholds']): RiskLevel {
  if (score >= unitsOf(high)) return 'high';
  return score >= unitsOf(medium) ? 'medium' : 'low';
}

const FLOORS: Readonly<Record<RiskRuleFired['effect'], RiskLevel>> = {
  require_enhanced: 'low',
  floor_medium: 'medium',
  floor_high: 'high',
  prohibit: 'prohibited',
};

/** Returns the highest of a level and the floors of the rules that fire. */
function raised(level: RiskLevel, rules: readonly RiskRuleFired[]): RiskLevel {
  const reached = Math.max(LEVELS.indexOf(level), ...rules.map(({ effect }) => LEVELS.indexOf(FLOORS[effect])));
  return LEVELS[reached]!;
}

function fired({ hardRules }: RiskModel, { rules }: Judgement): RiskRuleFired[] {
  return hardRules
    .filter((_, index) => rules[index]!.value === true)
    .map(({ key, effect, reasonCode }) => ({ key, effect, reasonCode }));
}

/** Returns the facts whose absence left a factor or a hard rule without an answer. */
function missingOf({ factors, rules }: Judgement): string[] {
  const ofFactors = factors.filter(({ score }) => score === null);
  const ofRules = rules.filter(({ value }) => value === null);
  return [...new Set([...ofFactors, ...ofRules].flatMap(({ missing }) => missing))].sort();
}

function contributionsOf(counted: readonly Counted[], { facts }: RiskInputs): RiskContribution[] {
  const { numerators, weights } = ratioOf(counted);
  const points = splitExactly(numerators, weights);
  return counted.map(({ factor: { key, label, category, fact, weight }, isMissing: isGap, score }, index) => ({
    factorKey: key,
    label,
    category,
    fact,
    value: valueText(Object.hasOwn(facts, fact) ? facts[fact] : null),
    isMissing: isGap,
    score: score === null ? null : decimalText(score),
    weight: decimalText(unitsOf(weight)),
    points: decimalText(points[index]!),
  }));
}

const LONGEST_VALUE = 400;

function valueText(value: FactValue | undefined): string | null {
  if (isMissing(value)) return null;
  const text = Array.isArray(value) ? value.join(', ') : String(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 1)}…` : text;
}
