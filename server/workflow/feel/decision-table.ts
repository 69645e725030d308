/** Evaluates decision tables of DMN: the rules that match, and what a hit policy makes of them. */
import type { Json } from '../../base/canonical-json.ts';
import type { BusinessTime } from '../../base/time.ts';
import { error, type Finding } from '../finding.ts';
import { EvaluationFailed } from '../kernel/run.ts';
import type { Variables } from '../kernel/state.ts';
import { evaluateFeel, testFeel } from './evaluate.ts';
import { lintFeel } from './lint.ts';

/** A decision table: each rule has a test for each input and a value for each output. */
export interface DecisionTable {
  /** How many rules may match: exactly one, the first, several with the same outputs, or all of them. */
  readonly hitPolicy: 'unique' | 'first' | 'any' | 'collect';
  readonly inputs: readonly { readonly expression: string }[];
  readonly outputs: readonly { readonly name: string }[];
  readonly rules: readonly Rule[];
}

interface Rule {
  /** FEEL tests; `-` holds for everything. */
  readonly when: readonly string[];
  /** FEEL expressions. */
  readonly then: readonly string[];
}

/** Checks a table: every rule has a cell for each column, and every cell is valid FEEL. */
export function lintTable({ inputs, outputs, rules }: DecisionTable): Finding[] {
  const columns = inputs.flatMap(({ expression }, index) => lintFeel(expression, `inputs/${index}`));
  const cells = rules.flatMap((rule, index) => {
    const at = `rules/${index}`;
    if (rule.when.length !== inputs.length || rule.then.length !== outputs.length) {
      return [error('invalid_expression', at, 'The rule has not one cell for each column.')];
    }
    return [
      ...rule.when.filter((test) => test.trim() !== '-').flatMap((test) => lintFeel(test, at, 'test')),
      ...rule.then.flatMap((value) => lintFeel(value, at)),
    ];
  });
  return [...columns, ...cells];
}

/** What a table decides: its outputs by name, or a list of them if it collects. The rules are counted from 1. */
export interface Decided {
  readonly result: Json;
  readonly rules: readonly number[];
}

/** Decides by a table. It fails if no rule matches, or if more do than the table allows. */
export function decide(table: DecisionTable, variables: Variables, at: BusinessTime): Decided {
  const values = table.inputs.map(({ expression }) => evaluateFeel(expression, variables, at));
  const matching = table.rules.flatMap((rule, index) => {
    const matches = rule.when.every(
      (test, column) => test.trim() === '-' || testFeel(test, values[column]!, variables, at),
    );
    return matches ? [index] : [];
  });
  if (matching.length === 0) throw new EvaluationFailed('No rule of the decision table matches.');
  if (table.hitPolicy === 'collect') {
    return { result: matching.map((index) => outputsOf(table, index, variables, at)), rules: numbers(matching) };
  }
  const result = outputsOf(table, matching[0]!, variables, at);
  if (table.hitPolicy === 'first') return { result, rules: numbers(matching.slice(0, 1)) };
  if (table.hitPolicy === 'unique' && matching.length > 1) {
    throw new EvaluationFailed('More than one rule of the decision table matches.');
  }
  const others = matching.slice(1).map((index) => JSON.stringify(outputsOf(table, index, variables, at)));
  if (others.some((other) => other !== JSON.stringify(result))) {
    throw new EvaluationFailed('Rules of the decision table match that do not agree.');
  }
  return { result, rules: numbers(matching) };
}

const numbers = (indexes: readonly number[]): number[] => indexes.map((index) => index + 1);

function outputsOf(table: DecisionTable, index: number, variables: Variables, at: BusinessTime): Json {
  return Object.fromEntries(
    table.outputs.map(({ name }, column) => [name, evaluateFeel(table.rules[index]!.then[column]!, variables, at)]),
  );
}
