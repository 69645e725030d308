/**
 * The two keywords by which the contract orders dates (`x-not-before`, `x-in-order`), for the validator. Used by
 * validator-adapter.ts and by the cache of compiled validators. Missing members are in order; members that are no dates
 * are left to other keywords.
 */
import type { KeywordDefinition } from 'ajv';
import type { DataValidateFunction } from 'ajv/dist/types/index.js';
import { readInstant } from '../base/time.ts';

type Values = Readonly<Record<string, unknown>>;
/** The keyword and its schema. */
type Origin = readonly [keyof typeof FAULTS, unknown];

const origins = new WeakMap<object, Origin>();

/** Functions that return the fault of a value, by the schema of the keyword. */
const FAULTS = {
  'x-not-before': (earliest: string) => (date: string) =>
    /^\d{4}-\d\d-\d\d$/.test(date) && date < earliest ? { earliest } : null,
  'x-in-order': (pairs: readonly (readonly [string, string])[]) => (values: Values) => {
    const wrong = pairs.find(([first, second]) => isAfter(values[first], values[second]));
    return wrong === undefined ? null : { earlier: wrong[0], later: wrong[1] };
  },
} as const;

/** Creates the validation function of a keyword, which reports one error. */
export function createOrderCheck(...[keyword, schema]: Origin): DataValidateFunction {
  const faultOf = FAULTS[keyword](schema as never) as (data: unknown) => object | null;
  const validate: DataValidateFunction = (data: unknown) => {
    const params = faultOf(data);
    validate.errors = params === null ? [] : [{ keyword, params }];
    return params === null;
  };
  origins.set(validate, [keyword, schema]);
  return validate;
}

/** Returns the arguments with which a validation function was created. */
export function originOf(validate: unknown): Origin {
  const origin = origins.get(validate as object);
  if (origin === undefined) throw new Error('the function was not created by createOrderCheck()');
  return origin;
}

/**
 * Ajv definitions of the dialect's keywords that JSON Schema lacks: `x-not-before` bounds a date from below, and
 * `x-in-order` names pairs of members, the first of which must not be after the second. A missing or null member is in
 * order.
 */
export const orderKeywords: KeywordDefinition[] = [
  {
    keyword: 'x-not-before',
    type: 'string',
    schemaType: 'string',
    errors: true,
    compile: (earliest: string) => createOrderCheck('x-not-before', earliest),
  },
  {
    keyword: 'x-in-order',
    type: 'object',
    schemaType: 'array',
    errors: true,
    compile: (pairs: unknown) => createOrderCheck('x-in-order', pairs),
  },
];

function isAfter(first: unknown, second: unknown): boolean {
  if (typeof first === 'number' && typeof second === 'number') return first > second;
  if (typeof first !== 'string' || typeof second !== 'string') return false;
  const [one, other] = [readInstant(first), readInstant(second)];
  return one !== null && other !== null && one > other;
}
