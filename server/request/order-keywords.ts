import type { KeywordDefinition } from 'ajv';
import type { DataValidateFunction } from 'ajv/dist/types/index.js';
import { readInstant } from '../base/time.ts';

/** A validation function that reports one error with these parameters. */
function reporting<T>(keyword: string, faultOf: (data: T) => object | null): DataValidateFunction {
  const validate: DataValidateFunction = (data: T) => {
    const params = faultOf(data);
    validate.errors = params === null ? [] : [{ keyword, params }];
    return params === null;
  };
  return validate;
}

type Values = Readonly<Record<string, unknown>>;

/**
 * The keywords of the dialect that JSON Schema has no words for, as Ajv knows keywords: `x-not-before` bounds a date from below, and
 * `x-in-order` names pairs of members of which the first must not be after the second. What is missing or null is in order.
 */
export const orderKeywords: KeywordDefinition[] = [
  {
    keyword: 'x-not-before', type: 'string', schemaType: 'string', errors: true,
    compile: (earliest: string) => reporting<string>('x-not-before', (date) => (/^\d{4}-\d\d-\d\d$/.test(date) && date < earliest ? { earliest } : null)),
  },
  {
    keyword: 'x-in-order', type: 'object', schemaType: 'array', errors: true,
    compile: (pairs: readonly (readonly [string, string])[]) => reporting<Values>('x-in-order', (values) => {
      const wrong = pairs.find(([first, second]) => isAfter(values[first], values[second]));
      return wrong === undefined ? null : { earlier: wrong[0], later: wrong[1] };
    }),
  },
];

function isAfter(first: unknown, second: unknown): boolean {
  if (typeof first === 'number' && typeof second === 'number') return first > second;
  if (typeof first !== 'string' || typeof second !== 'string') return false;
  const [one, other] = [readInstant(first), readInstant(second)];
  return one !== null && other !== null && one > other;
}
