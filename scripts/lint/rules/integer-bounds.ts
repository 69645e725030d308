import { schemaTypes } from '../../generate/schema.ts';
import type { Rule } from '../rule.ts';
import { schemaSites } from '../walk-schemas.ts';

/** Every integer has a range, and none that JavaScript would round. */
export const integerBounds: Rule = (contract, report) => {
  for (const { schema, pointer } of schemaSites(contract)) {
    if (!schemaTypes(schema).includes('integer') || schema.enum !== undefined || schema.const !== undefined) continue;
    if (schema.minimum === undefined || schema.maximum === undefined) report(pointer, 'Give this integer a `minimum` and a `maximum`.');
    if (Math.max(Math.abs(schema.minimum ?? 0), Math.abs(schema.maximum ?? 0)) > Number.MAX_SAFE_INTEGER) {
      report(pointer, 'Integers beyond 2^53 - 1 are rounded by JSON parsers; use a string.');
    }
  }
};
