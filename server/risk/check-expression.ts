/** Checks the types of an expression against the catalogue, and its size. */
import type { FactCatalogue, FactType } from './facts.ts';
import type { RiskExpression, RiskOperand } from './model.ts';
import { isDate, operationOf, type Operator } from './operators.ts';

/** A fault of an expression, at a JSON Pointer. */
export interface ExpressionFault {
  readonly code: 'unknown_fact' | 'unknown_reference_list' | 'expression_type_error' | 'expression_too_large';
  readonly pointer: string;
  readonly message: string;
}

/** What an expression may refer to. */
export interface Known {
  readonly catalogue: FactCatalogue;
  readonly listKeys: ReadonlySet<string>;
}

const DEEPEST = 8;
const MOST_NODES = 200;

/** The type of one value. A text that reads as a day may be meant as a date. */
type One = Exclude<FactType, 'string_list'> | 'text_or_date';
interface Type {
  readonly one: One;
  /** Whether it is several values. */
  readonly isMany: boolean;
  readonly isFact: boolean;
}

/** Returns the faults of a condition at a pointer; none if it can be judged for whatever facts there are. */
export function expressionFaults(expression: RiskExpression, pointer: string, known: Known): ExpressionFault[] {
  const tooLarge = sizeFault(expression, pointer);
  if (tooLarge !== null) return [tooLarge];
  const check = new Check(known);
  const type = check.typeOf(expression, pointer);
  if (type !== null && !isOne('boolean')(type)) check.report(pointer, 'A condition is true or false.');
  return check.faults;
}

/** Counts operators, facts, lists and values, and how deep operators nest. */
function sizeFault(expression: RiskExpression, pointer: string): ExpressionFault | null {
  let nodes = 0;
  let level: RiskOperand[] = [expression];
  for (let depth = 0; level.length > 0; depth += 1) {
    nodes += level.length;
    const below = level.flatMap(operandsOf);
    const isTooDeep = depth >= DEEPEST && below.length > 0;
    if (isTooDeep || nodes > MOST_NODES) {
      const message = isTooDeep
        ? `Operators nest at most ${DEEPEST} deep.`
        : `An expression has at most ${MOST_NODES} operators, facts, lists and values.`;
      return { code: 'expression_too_large', pointer, message };
    }
    level = below;
  }
  return null;
}

function operandsOf(operand: RiskOperand): readonly RiskOperand[] {
  if (typeof operand !== 'object' || Array.isArray(operand)) return [];
  return operationOf(operand)?.operands ?? [];
}

/** A demand on one operand, in words that complete "This operand must be …". */
interface Demand {
  readonly words: string;
  readonly isMet: (type: Type) => boolean;
}

const isOne =
  (...types: readonly One[]) =>
  ({ one, isMany }: Type): boolean =>
    !isMany && types.includes(one);

const CONDITION: Demand = { words: 'a condition', isMet: isOne('boolean') };
const VALUE: Demand = { words: 'one value', isMet: ({ isMany }) => !isMany };
const ORDERED: Demand = { words: 'a number or a date', isMet: isOne('number', 'date', 'text_or_date') };
const DATE: Demand = { words: 'a date', isMet: isOne('date', 'text_or_date') };
const FACT: Demand = { words: 'a fact', isMet: ({ isFact }) => isFact };
const LIST: Demand = { words: 'several values', isMet: ({ isMany }) => isMany };
const LIST_FACT: Demand = {
  words: 'a fact with several values',
  isMet: ({ isMany, isFact }) => isMany && isFact,
};

/** What an operator takes, and the type of what it gives. */
interface Signature {
  /** One demand for each operand. */
  readonly operands: readonly Demand[] | { readonly each: Demand };
  /** Whether all operands are, or hold, values of one type. */
  readonly isAlike?: boolean;
  readonly gives: 'boolean' | 'number';
}

const COMPARISON: Signature = { operands: [ORDERED, ORDERED], isAlike: true, gives: 'boolean' };
const EQUALITY: Signature = { operands: [VALUE, VALUE], isAlike: true, gives: 'boolean' };
const OF_LISTS: Signature = { operands: [LIST_FACT, LIST], isAlike: true, gives: 'boolean' };
const SINCE: Signature = { operands: [DATE], gives: 'number' };

const SIGNATURES: Readonly<Record<Operator, Signature>> = {
  and: { operands: { each: CONDITION }, gives: 'boolean' },
  or: { operands: { each: CONDITION }, gives: 'boolean' },
  not: { operands: [CONDITION], gives: 'boolean' },
  eq: EQUALITY,
  ne: EQUALITY,
  gt: COMPARISON,
  gte: COMPARISON,
  lt: COMPARISON,
  lte: COMPARISON,
  in: { operands: [VALUE, LIST], isAlike: true, gives: 'boolean' },
  contains: { operands: [LIST_FACT, VALUE], isAlike: true, gives: 'boolean' },
  between: { operands: [ORDERED, ORDERED, ORDERED], isAlike: true, gives: 'boolean' },
  exists: { operands: [FACT], gives: 'boolean' },
  daysSince: SINCE,
  yearsSince: SINCE,
  count: { operands: [LIST_FACT], gives: 'number' },
  any: OF_LISTS,
  all: OF_LISTS,
};

class Check {
  readonly faults: ExpressionFault[] = [];
  readonly #known: Known;

  constructor(known: Known) {
    this.#known = known;
  }

  report(pointer: string, message: string, code: ExpressionFault['code'] = 'expression_type_error'): null {
    this.faults.push({ code, pointer, message });
    return null;
  }

  /** Returns the type of an operand; null if it has a fault, which is reported. */
  typeOf(operand: RiskOperand, pointer: string): Type | null {
    if (typeof operand !== 'object') return { one: literalType(operand), isMany: false, isFact: false };
    if (Array.isArray(operand)) return this.#literals(operand, pointer);
    if (operand.fact !== undefined) return this.#fact(operand.fact, pointer);
    if (operand.list !== undefined) {
      if (this.#known.listKeys.has(operand.list)) return { one: 'string', isMany: true, isFact: false };
      return this.report(`${pointer}/list`, 'There is no such reference list.', 'unknown_reference_list');
    }
    const operation = operationOf(operand);
    if (operation === null) return this.report(pointer, 'An expression names an operator, a fact or a list.');
    return this.#operation(operation.operator, operation.operands, `${pointer}/${operation.operator}`);
  }

  #fact(path: string, pointer: string): Type | null {
    const type = this.#known.catalogue.get(path)?.type;
    if (type === undefined) return this.report(`${pointer}/fact`, 'The catalogue has no such fact.', 'unknown_fact');
    if (type === 'string_list') return { one: 'string', isMany: true, isFact: true };
    return { one: type, isMany: false, isFact: true };
  }

  #literals(values: readonly (string | number | boolean)[], pointer: string): Type | null {
    let one: One | null = null;
    for (const [index, value] of values.entries()) {
      const type = literalType(value);
      one = one === null ? type : common(one, type);
      if (one === null) return this.report(`${pointer}/${index}`, 'All values of a list are of one type.');
    }
    return { one: one ?? 'string', isMany: true, isFact: false };
  }

  #operation(operator: Operator, operands: readonly RiskOperand[], pointer: string): Type | null {
    const { operands: demands, isAlike = false, gives } = SIGNATURES[operator];
    const types = operands.map((operand, index) => this.typeOf(operand, `${pointer}/${index}`));
    if (!('each' in demands) && demands.length !== operands.length)
      return this.report(pointer, `\`${operator}\` takes ${demands.length} operands.`);
    let alike: One | null = null;
    for (const [index, type] of types.entries()) {
      if (type === null) return null;
      const demand = 'each' in demands ? demands.each : demands[index]!;
      if (!demand.isMet(type)) return this.report(`${pointer}/${index}`, `This operand must be ${demand.words}.`);
      alike = alike === null ? type.one : common(alike, type.one);
      if (isAlike && alike === null)
        return this.report(`${pointer}/${index}`, 'This operand is of another type than the one before it.');
    }
    return { one: gives, isMany: false, isFact: false };
  }
}

/** Returns the type of a literal value. */
export function literalType(value: string | number | boolean): One {
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return isDate(value) ? 'text_or_date' : 'string';
}

/** Returns the type that two types have in common; null if there is none. */
export function common(one: One, other: One): One | null {
  if (one === other) return one;
  if (one === 'text_or_date' && (other === 'date' || other === 'string')) return other;
  if (other === 'text_or_date' && (one === 'date' || one === 'string')) return one;
  return null;
}
