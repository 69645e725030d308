/** What would have to be different for another level: changes of one fact, each of them tried out. */
import { decimalText } from './decimal.ts';
import { isMissing } from './evaluate.ts';
import type { FactCatalogue } from './facts.ts';
import { bandOf, judge, type Judgement, rowOf, valuesOfMatch } from './judge.ts';
import type { RiskCounterfactual, RiskFactor, RiskInputs, RiskLevel, RiskModel, RiskScoring } from './model.ts';
import { factsIn, factsOfFactor } from './reads.ts';
import { LEVELS, sum } from './score.ts';

type Value = string | number | boolean;

/** Another value of a fact, and how it is shown. */
interface Change {
  readonly value: Value;
  readonly to: RiskCounterfactual['to'];
}

interface Tried extends RiskCounterfactual {
  /** By how much the score changes, in ten-thousandths. */
  readonly distance: bigint;
}

const MOST = 10;
/** The search takes up to this number of steps, so that the largest model does not block the process. */
const MOST_STEPS = 500_000;
const BELOW = 0.0001;

/**
 * Returns up to ten changes of one fact that would move the level by one step among low, medium and high, the smallest
 * change of score first. Each is the smallest for its fact and its level, and was tried out on the whole model. Facts
 * that the catalogue knows to have several values are left out.
 */
export function counterfactualsOf(
  model: RiskModel,
  inputs: RiskInputs,
  catalogue: FactCatalogue = new Map(),
): readonly RiskCounterfactual[] {
  const judgement = judge(model, inputs);
  const now = sum(model, judgement);
  if (now === null || now.level === 'prohibited') return [];
  const found: Tried[] = [];
  let { steps } = judgement;
  const tried = new Set<string>();
  for (const factor of model.factors) {
    if (catalogue.get(factor.fact)?.type === 'string_list') continue;
    const readers = readersOf(model, factor.fact);
    for (const { value, to } of changesOf(model, factor, inputs)) {
      const change = `${typeof value} ${value} ${factor.fact}`;
      if (steps > MOST_STEPS || tried.has(change)) continue;
      tried.add(change);
      const changed = { ...inputs, facts: { ...inputs.facts, [factor.fact]: value } };
      const again: Judgement = judge(model, changed, { earlier: judgement, ...readers });
      steps += again.steps;
      const then = sum(model, again);
      if (then === null || !isNextLevel(now.level, then.level)) continue;
      const distance = then.score > now.score ? then.score - now.score : now.score - then.score;
      found.push({
        fact: factor.fact,
        to,
        newScore: decimalText(then.score),
        newLevel: then.level,
        distance,
      });
    }
  }
  return smallestOfEach(found)
    .sort((one, other) => Number(one.distance - other.distance))
    .slice(0, MOST)
    .map(({ distance: _, ...counterfactual }) => counterfactual);
}

function isNextLevel(from: RiskLevel, to: RiskLevel): boolean {
  return to !== 'prohibited' && Math.abs(LEVELS.indexOf(from) - LEVELS.indexOf(to)) === 1;
}

/** Returns the smallest change for each fact and each new level, in the order of the model. */
function smallestOfEach(found: readonly Tried[]): Tried[] {
  const smallest = new Map<string, Tried>();
  for (const tried of found) {
    const key = `${tried.newLevel} ${tried.fact}`;
    const known = smallest.get(key);
    if (known === undefined || tried.distance < known.distance) smallest.set(key, tried);
  }
  return found.filter((tried) => smallest.get(`${tried.newLevel} ${tried.fact}`) === tried);
}

/** Returns the positions of the factors and the hard rules that read a fact. */
function readersOf({ factors, hardRules }: RiskModel, fact: string) {
  const positions = (reads: readonly (readonly string[])[]) =>
    new Set(reads.flatMap((facts, index) => (facts.includes(fact) ? [index] : [])));
  return {
    factors: positions(factors.map(factsOfFactor)),
    rules: positions(hardRules.map(({ when }) => factsIn(when))),
  };
}

/** Returns the values of a factor's fact that lead to its other outcomes. */
function changesOf(model: RiskModel, { fact, scoring }: RiskFactor, inputs: RiskInputs): readonly Change[] {
  const value = Object.hasOwn(inputs.facts, fact) ? inputs.facts[fact] : null;
  // A fact with several values is worth its worst one; no single value stands for another outcome.
  if (Array.isArray(value) && !isMissing(value)) return [];
  switch (scoring.by) {
    case 'lookup':
      return changesOfLookup(model, scoring, value, inputs);
    case 'bands': {
      const current = bandOf(scoring, value);
      return scoring.bands
        .filter((band) => band !== current)
        .map((band) => ({ value: within(band), to: edgesOf(band) }));
    }
    case 'when':
      return [];
  }
}

type Lookup = Extract<RiskScoring, { by: 'lookup' }>;
type Band = Extract<RiskScoring, { by: 'bands' }>['bands'][number];

function changesOfLookup(model: RiskModel, scoring: Lookup, value: unknown, inputs: RiskInputs): readonly Change[] {
  const isKnown = !isMissing(value as Value);
  const current = isKnown ? rowOf(scoring, value, inputs) : undefined;
  const ofRows = scoring.lookup
    .filter((row) => row !== current)
    .flatMap(({ match }): Change[] => {
      const [first] = valuesOfMatch(match, inputs.lists) as ReadonlySet<Value>;
      return first === undefined ? [] : [{ value: first, to: { value: first } }];
    });
  if (isKnown && current === undefined) return ofRows;
  const other = otherThan(model, scoring, inputs);
  if (other === null) return ofRows;
  return [...ofRows, { value: other, to: typeof other === 'boolean' ? { value: other } : { other: true } }];
}

/** Returns a value that no row has, nor any other part of the model; null if there is none. */
function otherThan(model: RiskModel, scoring: Lookup, inputs: RiskInputs): Value | null {
  const rows = new Set(scoring.lookup.flatMap(({ match }) => [...valuesOfMatch(match, inputs.lists)]));
  const [example = ''] = rows;
  if (typeof example === 'boolean') return [true, false].find((value) => !rows.has(value)) ?? null;
  if (typeof example === 'number') return [...Array(rows.size + 1).keys()].find((value) => !rows.has(value)) ?? null;
  const texts = `${JSON.stringify(model)}${JSON.stringify(inputs.lists)}`;
  let text = 'other';
  while (texts.includes(text)) text = `${text}~`;
  return text;
}

function within({ gte, lt }: Band): number {
  if (gte !== undefined) return gte;
  if (lt === undefined) return 0;
  // Far from zero, numbers are further apart than that.
  return lt - BELOW < lt ? lt - BELOW : lt - 1;
}

function edgesOf({ gte, lt }: Band): RiskCounterfactual['to'] {
  return { ...(gte !== undefined && { gte }), ...(lt !== undefined && { lt }) };
}
