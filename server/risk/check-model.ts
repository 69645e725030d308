/** Checks what a schema cannot express of a model, so that a model without a fault can be scored for any facts. */
import { common, expressionFaults, type Known, literalType } from './check-expression.ts';
import { hasFourDecimals } from './decimal.ts';
import type { FactCatalogue, FactType } from './facts.ts';
import { scoresOf } from './judge.ts';
import type { RiskFactor, RiskModel, RiskScoring } from './model.ts';

/** A fault of a model. The code is a problem code of the contract. */
export interface ModelFault {
  readonly code:
    | 'weights_sum_zero'
    | 'thresholds_inverted'
    | 'band_gap'
    | 'band_overlap'
    | 'unknown_fact'
    | 'unknown_reference_list'
    | 'duplicate_key'
    | 'too_many_decimals'
    | 'expression_type_error'
    | 'expression_too_large';
  /** JSON Pointer into the model. */
  readonly pointer: string;
  readonly message: string;
}

/** Returns the faults of a model; none if it can be scored. `listKeys` names the reference lists that exist. */
export function modelFaults(
  model: RiskModel,
  catalogue: FactCatalogue,
  listKeys: ReadonlySet<string>,
): readonly ModelFault[] {
  const known: Known = { catalogue, listKeys };
  return [
    ...weightFaults(model),
    ...thresholdFaults(model),
    ...duplicates(model.factors, '/factors'),
    ...duplicates(model.hardRules, '/hardRules'),
    ...model.factors.flatMap((factor, index) => factorFaults(factor, `/factors/${index}`, known)),
    ...model.hardRules.flatMap(({ when }, index) => expressionFaults(when, `/hardRules/${index}/when`, known)),
  ];
}

function weightFaults({ factors }: RiskModel): ModelFault[] {
  if (factors.some(({ weight }) => weight > 0)) return [];
  return [{ code: 'weights_sum_zero', pointer: '/factors', message: 'At least one factor needs a weight above zero.' }];
}

function thresholdFaults({ thresholds: { medium, high } }: RiskModel): ModelFault[] {
  const imprecise = Object.entries({ medium, high }).flatMap(([name, value]) =>
    decimalFaults(value, `/thresholds/${name}`),
  );
  if (medium < high) return imprecise;
  const message = 'The threshold of high must be above that of medium.';
  return [...imprecise, { code: 'thresholds_inverted', pointer: '/thresholds/high', message }];
}

function decimalFaults(value: number, pointer: string): ModelFault[] {
  if (hasFourDecimals(value)) return [];
  return [{ code: 'too_many_decimals', pointer, message: 'At most four decimals count.' }];
}

function duplicates(items: readonly { readonly key: string }[], pointer: string): ModelFault[] {
  return items.flatMap(({ key }, index) => {
    if (items.findIndex((item) => item.key === key) === index) return [];
    return [{ code: 'duplicate_key', pointer: `${pointer}/${index}/key`, message: 'Another one has this key.' }];
  });
}

function factorFaults({ fact, weight, scoring }: RiskFactor, pointer: string, known: Known): ModelFault[] {
  const scores = scoresOf(scoring).some((score) => !hasFourDecimals(score));
  const declared = known.catalogue.get(fact);
  return [
    ...decimalFaults(weight, `${pointer}/weight`),
    ...(scores ? decimalFaults(Number.NaN, `${pointer}/scoring`) : []),
    ...(declared === undefined
      ? ([{ code: 'unknown_fact', pointer: `${pointer}/fact`, message: 'The catalogue has no such fact.' }] as const)
      : []),
    ...scoringFaults(scoring, `${pointer}/scoring`, known, declared?.type),
  ];
}

function scoringFaults(scoring: RiskScoring, pointer: string, known: Known, type: FactType | undefined): ModelFault[] {
  switch (scoring.by) {
    case 'lookup':
      return scoring.lookup.flatMap(({ match }, index) =>
        matchFaults(match, `${pointer}/lookup/${index}/match`, known, type),
      );
    case 'bands':
      return [...bandFaults(scoring.bands, `${pointer}/bands`), ...numberFaults(pointer, type)];
    case 'when':
      return scoring.when.flatMap(({ expr }, index) => expressionFaults(expr, `${pointer}/when/${index}/expr`, known));
  }
}

function numberFaults(pointer: string, type: FactType | undefined): ModelFault[] {
  if (type === undefined || type === 'number') return [];
  return [
    { code: 'expression_type_error', pointer: `${pointer}/bands`, message: 'Bands are for facts that are numbers.' },
  ];
}

type Match = Extract<RiskScoring, { by: 'lookup' }>['lookup'][number]['match'];

/** The values of a row are of the type of the fact, because a text never equals a number. */
function matchFaults(match: Match, pointer: string, { listKeys }: Known, type: FactType | undefined): ModelFault[] {
  const one = type === 'string_list' ? 'string' : type;
  if (typeof match === 'object' && !Array.isArray(match)) {
    if (!listKeys.has(match.list))
      return [
        { code: 'unknown_reference_list', pointer: `${pointer}/list`, message: 'There is no such reference list.' },
      ];
    return one === undefined || one === 'string' ? [] : [typeFault(`${pointer}/list`)];
  }
  const isOfType = (value: string | number | boolean) => one === undefined || common(literalType(value), one) !== null;
  if (!Array.isArray(match)) return isOfType(match) ? [] : [typeFault(pointer)];
  return match.flatMap((value, index) => (isOfType(value) ? [] : [typeFault(`${pointer}/${index}`)]));
}

function typeFault(pointer: string): ModelFault {
  return { code: 'expression_type_error', pointer, message: 'The fact of this factor is of another type.' };
}

type Bands = Extract<RiskScoring, { by: 'bands' }>['bands'];

/** Bands are judged in the order of their edges. */
function bandFaults(bands: Bands, pointer: string): ModelFault[] {
  const sorted = bands
    .map(({ gte = -Infinity, lt = Infinity }, index) => ({ gte, lt, pointer: `${pointer}/${index}` }))
    .sort((one, other) => (one.gte === other.gte ? compare(one.lt, other.lt) : compare(one.gte, other.gte)));
  return sorted.flatMap((band, index): ModelFault[] => {
    const before = sorted[index - 1];
    if (band.gte >= band.lt)
      return [{ code: 'band_overlap', pointer: band.pointer, message: 'The upper edge must be above the lower edge.' }];
    if (before === undefined || before.lt === band.gte) return [];
    return before.lt < band.gte
      ? [{ code: 'band_gap', pointer: band.pointer, message: 'There is a gap between this band and the one below it.' }]
      : [{ code: 'band_overlap', pointer: band.pointer, message: 'This band overlaps with the one below it.' }];
  });
}

function compare(one: number, other: number): number {
  return one < other ? -1 : Number(one > other);
}

export { factsOf, listsOf } from './reads.ts';
