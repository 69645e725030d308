import { schemaTypes } from '../../generate/schema.ts';
import type { Rule } from '../rule.ts';
import { schemaSites } from '../walk-schemas.ts';

/** Every number has a range, and none that JavaScript would round. */
export const numberBounds: Rule = (contract, report) => {
  for (const { schema, pointer } of schemaSites(contract)) {
    const type = schemaTypes(schema).find((one) => one === 'integer' || one === 'number');
    if (type === undefined || schema.enum !== undefined || schema.const !== undefined) continue;
    if (schema.minimum === undefined || schema.maximum === undefined) report(pointer, `Give this ${type} a \`minimum\` and a \`maximum\`.`);
    if (Math.max(Math.abs(schema.minimum ?? 0), Math.abs(schema.maximum ?? 0)) > Number.MAX_SAFE_INTEGER) {
      report(pointer, 'Integers beyond 2^53 - 1 are rounded by JSON parsers; use a string.');
    }
  }
};
