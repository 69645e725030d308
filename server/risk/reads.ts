/** What the parts of a model read: facts and reference lists. */
import type { RiskExpression, RiskFactor, RiskModel, RiskOperand } from './model.ts';
import { expressionsOf } from './judge.ts';
import { operationOf } from './operators.ts';

/** Returns the facts of an expression. */
export function factsIn(expression: RiskExpression): string[] {
  return leavesOf(expression).flatMap(({ fact }) => fact ?? []);
}

/** Returns the facts from which a factor takes its score. */
export function factsOfFactor({ fact, scoring }: RiskFactor): string[] {
  return scoring.by === 'when' ? expressionsOf(scoring).flatMap(factsIn) : [fact];
}

/** Returns the paths of the facts that a model reads, sorted. */
export function factsOf({ factors, hardRules }: RiskModel): readonly string[] {
  return unique([...factors.flatMap(factsOfFactor), ...hardRules.flatMap(({ when }) => factsIn(when))]);
}

/** Returns the keys of the reference lists that a model reads, sorted. */
export function listsOf({ factors, hardRules }: RiskModel): readonly string[] {
  const ofRows = factors.flatMap(({ scoring }) =>
    scoring.by === 'lookup'
      ? scoring.lookup.flatMap(({ match }) => (typeof match === 'object' && !Array.isArray(match) ? match.list : []))
      : [],
  );
  const expressions = [
    ...factors.flatMap(({ scoring }) => expressionsOf(scoring)),
    ...hardRules.map(({ when }) => when),
  ];
  return unique([...ofRows, ...expressions.flatMap(leavesOf).flatMap(({ list }) => list ?? [])]);
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}

/** Returns the facts and lists that stand in an expression. */
function leavesOf(operand: RiskOperand): RiskExpression[] {
  if (typeof operand !== 'object' || Array.isArray(operand)) return [];
  if (operand.fact !== undefined || operand.list !== undefined) return [operand];
  return operationOf(operand)?.operands.flatMap(leavesOf) ?? [];
}
