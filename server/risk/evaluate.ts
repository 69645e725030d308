import type { FactValue } from './facts.ts';
import type { RiskExpression, RiskInputs, RiskOperand } from './model.ts';
import { type Known, operationOf, OPERATORS, type Operator } from './operators.ts';

/** A condition: true, false, or unknown (null) for want of these facts. */
export interface Judged {
  readonly value: boolean | null;
  readonly missing: readonly string[];
}

/** What an operand is: a value, or unknown (null) for want of these facts. */
interface Valued {
  readonly value: Known | null;
  readonly missing: readonly string[];
}

/** Returns whether a fact has no value: it is absent, null, or an empty list. */
export function isMissing(value: FactValue | undefined): value is null | undefined | readonly [] {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

const sets = new WeakMap<readonly unknown[], ReadonlySet<unknown>>();

/** Returns a list as a set. It is made once, because a reference list may have thousands of values. */
export function setOf(values: readonly unknown[]): ReadonlySet<unknown> {
  const known = sets.get(values);
  if (known !== undefined) return known;
  const set = new Set(values);
  sets.set(values, set);
  return set;
}

const NONE: readonly string[] = [];
const UNKNOWN: Valued = { value: null, missing: NONE };

/** Judges conditions over the facts of one subject. It is total: a condition without type errors never fails. */
export class Evaluation {
  /** How many operands were visited so far, and values of facts with several values. */
  steps = 0;
  readonly #inputs: RiskInputs;

  constructor(inputs: RiskInputs) {
    this.#inputs = inputs;
  }

  /** Judges a condition. */
  judge(expression: RiskExpression): Judged {
    const { value, missing } = this.#valueOf(expression);
    return { value: typeof value === 'boolean' ? value : null, missing };
  }

  #valueOf(operand: RiskOperand): Valued {
    this.steps += 1;
    if (typeof operand !== 'object') return { value: operand, missing: NONE };
    if (Array.isArray(operand)) return { value: setOf(operand), missing: NONE };
    if (operand.fact !== undefined) return this.#fact(operand.fact);
    if (operand.list !== undefined) return { value: setOf(this.#list(operand.list)), missing: NONE };
    const operation = operationOf(operand);
    return operation === null ? UNKNOWN : this.#apply(operation.operator, operation.operands);
  }

  #fact(path: string): Valued {
    const value = Object.hasOwn(this.#inputs.facts, path) ? this.#inputs.facts[path] : null;
    if (isMissing(value)) return { value: null, missing: [path] };
    if (Array.isArray(value)) this.steps += value.length;
    return { value: value as Known, missing: NONE };
  }

  #list(key: string): readonly string[] {
    return Object.hasOwn(this.#inputs.lists, key) ? this.#inputs.lists[key]! : NONE;
  }

  #apply(operator: Operator, operands: readonly RiskOperand[]): Valued {
    if (operator === 'and' || operator === 'or') return this.#until(operator === 'or', operands);
    if (operator === 'exists') return { value: this.#valueOf(operands[0]!).value !== null, missing: NONE };
    const values: Known[] = [];
    let missing = NONE;
    for (const operand of operands) {
      const valued = this.#valueOf(operand);
      if (valued.value === null) missing = missing.concat(valued.missing);
      else values.push(valued.value);
    }
    if (values.length < operands.length) return { value: null, missing };
    return { value: OPERATORS[operator](values, this.#inputs.today), missing: NONE };
  }

  /** Kleene's `and` (decided by the first false) and `or` (decided by the first true). */
  #until(decisive: boolean, operands: readonly RiskOperand[]): Valued {
    const unknown: Valued[] = [];
    for (const operand of operands) {
      const valued = this.#valueOf(operand);
      if (valued.value === decisive) return { value: decisive, missing: NONE };
      if (typeof valued.value !== 'boolean') unknown.push(valued);
    }
    if (unknown.length === 0) return { value: !decisive, missing: NONE };
    return { value: null, missing: unknown.flatMap(({ missing }) => missing) };
  }
}
