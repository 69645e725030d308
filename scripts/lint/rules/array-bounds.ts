import { schemaTypes } from '../../generate/schema.ts';
import type { Rule } from '../rule.ts';
import { schemaSites } from '../walk-schemas.ts';

/** Every array says how many items it may hold. */
export const arrayBounds: Rule = (contract, report) => {
  for (const { schema, pointer } of schemaSites(contract)) {
    if (!schemaTypes(schema).includes('array')) continue;
    if (schema.maxItems === undefined) report(pointer, 'Give this array a `maxItems`.');
    if (schema.items === undefined) report(pointer, 'Say what the items are.');
  }
};
