/** Evaluates expressions in FEEL by feelin, with the time of the step and functions that cannot run away. */
import { evaluate, type FeelFunction, isFunction, isRange, parseExpression, SyntaxError, unaryTest } from 'feelin';
import { parser } from 'lezer-feel';
import { BoundedMap } from '../../base/bounded-map.ts';
import type { Json } from '../../base/canonical-json.ts';
import type { BusinessTime } from '../../base/time.ts';
import { EvaluationFailed } from '../kernel/run.ts';
import type { Variables } from '../kernel/state.ts';
import { functionAt } from './functions.ts';

type Tree = ReturnType<typeof parser.parse>;
type Configuration = Parameters<typeof parser.configure>[0];

/**
 * Most texts of a cache, and the most characters of each, that are kept in a form in which they need not be read again.
 * They bound the memory of the child, which all tenants share.
 */
const MOST_KEPT = 1000;
const LONGEST_KEPT = 200;
const trees = new BoundedMap<string, Tree>(MOST_KEPT);
const configure = parser.configure.bind(parser);

/**
 * Keeps the parsed form of each cell of a decision table, because the library parses at every evaluation, which takes
 * most of its time. Our variables have names without spaces, so the form of a text does not depend on the values it is
 * evaluated with.
 */
function parserFor(configuration: Configuration): { readonly parse: (text: string) => Tree } {
  const fresh = configure(configuration);
  if (configuration.top !== 'UnaryTests') return fresh;
  return {
    parse: (text) => {
      const known = trees.get(text);
      if (known !== undefined) return known;
      const tree = fresh.parse(text);
      if (text.length <= LONGEST_KEPT) trees.set(text, tree);
      return tree;
    },
  };
}

parser.configure = parserFor as typeof parser.configure;

/** Variables and functions that an expression sees. A class, because the library deep-copies plain objects. */
class Scope {
  [name: string]: unknown;
}

/** An expression as a function without parameters, which the library has built from its parsed form. */
interface Built {
  readonly call: () => unknown;
  /** What the function sees. It is filled before each call and emptied after it. */
  readonly scope: Scope;
  /** Words of the text that may be names of variables. */
  readonly names: readonly string[];
  /** Warnings that the library collects; emptied after each call. */
  readonly warnings: unknown[];
}

const built = new BoundedMap<string, Built>(MOST_KEPT);

/**
 * Returns the function that an expression becomes. The library builds one from the parsed form at every evaluation, and
 * the only one that it hands out is the value of a FEEL function.
 */
function builtFor(expression: string): Built {
  const known = built.get(expression);
  if (known !== undefined) return known;
  // Parsed alone first, because `1) + (2` becomes valid inside the added parentheses.
  parseExpression(expression, {}, undefined).iterate({
    enter: ({ type }) => {
      if (type.isError) throw new EvaluationFailed('The expression is not valid FEEL.');
    },
  });
  const scope = new Scope();
  // The newline ends a trailing `//` comment.
  const { value, warnings } = evaluate(`function() (${expression}\n)`, scope);
  const made = {
    call: () => (value as FeelFunction).invoke([]),
    scope,
    names: namesIn(expression),
    warnings,
  };
  if (expression.length <= LONGEST_KEPT) built.set(expression, made);
  return made;
}

const namesIn = (text: string): readonly string[] => [...new Set(text.match(/[A-Za-z][A-Za-z0-9_]*/g) ?? [])];

/** Characters and values that a result may have, because it is kept with its instance. */
const LARGEST_RESULT = 65_536;

/** Evaluates a FEEL expression. The result is plain JSON; what is no value of JSON, or too large, is refused. */
export function evaluateFeel(expression: string, variables: Variables, at: BusinessTime): Json {
  return run(() => {
    const { call, scope, names, warnings } = builtFor(expression);
    try {
      for (const name of names) scope[name] = namedBy(name, variables, at);
      return call();
    } finally {
      for (const name of names) scope[name] = undefined;
      warnings.length = 0;
    }
  });
}

/** Evaluates a cell of a decision table against the value of its input. */
export function testFeel(test: string, value: Json, variables: Variables, at: BusinessTime): boolean {
  return run(() => unaryTest(test, { ...contextOf(test, variables, at), '?': value }).value) === true;
}

function run(evaluation: () => unknown): Json {
  try {
    const result = jsonOf(evaluation());
    if (sizeOf(result) > LARGEST_RESULT) throw new EvaluationFailed('The result of the expression is too large.');
    return result;
  } catch (failure) {
    if (failure instanceof EvaluationFailed) throw failure;
    if (failure instanceof SyntaxError) throw new EvaluationFailed('The expression is not valid FEEL.');
    if (failure instanceof RangeError) throw new EvaluationFailed('The expression is nested too deep or too large.');
    throw new EvaluationFailed('The expression cannot be evaluated.');
  }
}

/** Returns the variables and functions that the text may refer to, which spares the library copying the others. */
function contextOf(text: string, variables: Variables, at: BusinessTime): Record<string, unknown> {
  const named = namesIn(text).map((name) => [name, namedBy(name, variables, at)] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== undefined));
}

/** Returns what a name stands for: one of our functions, else a variable. Others are left to the library. */
function namedBy(name: string, variables: Variables, at: BusinessTime): unknown {
  return functionAt(name, at) ?? (Object.hasOwn(variables, name) ? variables[name] : undefined);
}

/** Counts the characters of texts, and every other value as one. */
function sizeOf(value: Json): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  return Object.entries(value).reduce((sum, [name, member]) => sum + name.length + sizeOf(member), 1);
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
