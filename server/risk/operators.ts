/** The operators of expressions. The contract lists them; this is what each does with values. */
import type { FactValue } from './facts.ts';
import type { RiskExpression, RiskOperand } from './model.ts';

export type Operator = Exclude<keyof RiskExpression, 'fact' | 'list'>;

/** An operator with its operands. */
interface Operation {
  readonly operator: Operator;
  readonly operands: readonly RiskOperand[];
}

const operations = new WeakMap<RiskExpression, Operation | null>();

/** Returns what the one member of an expression says; null if it is a fact or a list. It is read once. */
export function operationOf(expression: RiskExpression): Operation | null {
  const known = operations.get(expression);
  if (known !== undefined) return known;
  const [entry] = Object.entries(expression);
  const isOperation = entry !== undefined && Array.isArray(entry[1]);
  const operation = isOperation ? { operator: entry[0] as Operator, operands: entry[1] as RiskOperand[] } : null;
  operations.set(expression, operation);
  return operation;
}

/** A value of an operand that is known. */
export type Known = Exclude<FactValue, null> | ReadonlySet<unknown>;

const DAY_MILLISECONDS = 86_400_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Returns whether a text is a day of the calendar, such as `2026-11-26`. */
export function isDate(text: string): boolean {
  return DATE.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;
}

/** Returns how two numbers or two texts are ordered; null if they cannot be compared. */
function order(one: Known, other: Known): number | null {
  const areNumbers = typeof one === 'number' && typeof other === 'number';
  const areTexts = typeof one === 'string' && typeof other === 'string';
  if (!areNumbers && !areTexts) return null;
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function ordered(one: Known, other: Known, isRight: (sign: number) => boolean): boolean | null {
  const sign = order(one, other);
  return sign === null ? null : isRight(sign);
}

/** Returns whether a list holds a value; null if it is no list. */
function holds(list: Known, value: Known): boolean | null {
  if (list instanceof Set) return list.has(value);
  return Array.isArray(list) ? list.includes(value) : null;
}

function daysSince(date: Known, today: string): number | null {
  if (typeof date !== 'string' || !isDate(date)) return null;
  return Math.round((Date.parse(today) - Date.parse(date)) / DAY_MILLISECONDS);
}

function yearsSince(date: Known, today: string): number | null {
  if (typeof date !== 'string' || !isDate(date)) return null;
  const years = Number(today.slice(0, 4)) - Number(date.slice(0, 4));
  return today.slice(5) < date.slice(5) ? years - 1 : years;
}

/** What an operator makes of operands whose values are known; null if it cannot judge them. */
type Apply = (operands: readonly Known[], today: string) => boolean | number | null;

/** The operators that need all their operands. `and`, `or` and `exists` judge what is unknown, too. */
export const OPERATORS: Readonly<Record<Exclude<Operator, 'and' | 'or' | 'exists'>, Apply>> = {
  not: ([condition]) => (typeof condition === 'boolean' ? !condition : null),
  eq: ([one, other]) => one === other,
  ne: ([one, other]) => one !== other,
  gt: ([one, other]) => ordered(one!, other!, (sign) => sign > 0),
  gte: ([one, other]) => ordered(one!, other!, (sign) => sign >= 0),
  lt: ([one, other]) => ordered(one!, other!, (sign) => sign < 0),
  lte: ([one, other]) => ordered(one!, other!, (sign) => sign <= 0),
  between: ([value, low, high]) => {
    const [fromLow, fromHigh] = [order(value!, low!), order(value!, high!)];
    return fromLow === null || fromHigh === null ? null : fromLow >= 0 && fromHigh <= 0;
  },
  in: ([value, list]) => holds(list!, value!),
  contains: ([list, value]) => holds(list!, value!),
  any: ([values, list]) => (Array.isArray(values) ? values.some((value) => holds(list!, value) === true) : null),
  all: ([values, list]) => (Array.isArray(values) ? values.every((value) => holds(list!, value) === true) : null),
  count: ([values]) => (Array.isArray(values) ? values.length : null),
  daysSince: ([date], today) => daysSince(date!, today),
  yearsSince: ([date], today) => yearsSince(date!, today),
};
