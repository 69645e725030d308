/** Evaluates expressions in FEEL by feelin, with the time of the step and functions that cannot run away. */
import { evaluate, isFunction, isRange, SyntaxError, unaryTest } from 'feelin';
import { parser } from 'lezer-feel';
import { BoundedMap } from '../../base/bounded-map.ts';
import type { Json } from '../../base/canonical-json.ts';
import type { BusinessTime } from '../../base/time.ts';
import { EvaluationFailed } from '../kernel/run.ts';
import type { Variables } from '../kernel/state.ts';
import { functionsAt } from './functions.ts';

type Tree = ReturnType<typeof parser.parse>;
type Configuration = Parameters<typeof parser.configure>[0];

const trees = new BoundedMap<string, Tree>(2000);
const configure = parser.configure.bind(parser);

/**
 * Keeps the parsed form of each text, because the library parses at every evaluation, which takes most of its time. Our
 * variables have names without spaces, so the form of a text does not depend on the values it is evaluated with.
 */
function parserFor(configuration: Configuration): { readonly parse: (text: string) => Tree } {
  return {
    parse: (text) => {
      const key = `${configuration.top ?? ''} ${text}`;
      const known = trees.get(key);
      if (known !== undefined) return known;
      const tree = configure(configuration).parse(text);
      trees.set(key, tree);
      return tree;
    },
  };
}

parser.configure = parserFor as typeof parser.configure;

/** Evaluates a FEEL expression. The result is plain JSON; what is no value of JSON is refused. */
export function evaluateFeel(expression: string, variables: Variables, at: BusinessTime): Json {
  return run(() => evaluate(expression, contextOf(expression, variables, at)).value);
}

/** Evaluates a cell of a decision table against the value of its input. */
export function testFeel(test: string, value: Json, variables: Variables, at: BusinessTime): boolean {
  return run(() => unaryTest(test, { ...contextOf(test, variables, at), '?': value }).value) === true;
}

function run(evaluation: () => unknown): Json {
  try {
    return jsonOf(evaluation());
  } catch (failure) {
    if (failure instanceof EvaluationFailed) throw failure;
    if (failure instanceof SyntaxError) throw new EvaluationFailed('The expression is not valid FEEL.');
    if (failure instanceof RangeError) throw new EvaluationFailed('The expression is nested too deep or too large.');
    throw new EvaluationFailed('The expression cannot be evaluated.');
  }
}

/** Returns the variables that the text may refer to, which spares the library copying the others. */
function contextOf(text: string, variables: Variables, at: BusinessTime): Record<string, unknown> {
  const named = new Set(text.match(/[A-Za-z][A-Za-z0-9_]*/g) ?? []);
  const used = Object.entries(variables).filter(([name]) => named.has(name));
  const functions = Object.entries(functionsAt(at)).filter(([name]) => named.has(name));
  return Object.fromEntries([...used, ...functions]);
}

function jsonOf(value: unknown): Json {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(jsonOf);
  if (typeof value !== 'object' || isFunction(value) || isRange(value)) {
    throw new EvaluationFailed('The result of the expression is a function or a range.');
  }
  const prototype = Object.getPrototypeOf(value) as unknown;
  if (prototype !== Object.prototype && prototype !== null) return String(value);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, jsonOf(member)]));
}
