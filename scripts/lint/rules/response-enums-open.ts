import type { Rule } from '../rule.ts';
import { schemasReached } from '../walk-schemas.ts';

/** Values may be added to the enumerations of responses, and clients must know that from the start. */
export const responseEnumsOpen: Rule = (contract, report) => {
  for (const { schema, pointer } of schemasReached(contract, 'response')) {
    if (schema.enum !== undefined && schema['x-enum-open'] !== true) report(pointer, 'Mark this enumeration of a response `x-enum-open: true`.');
  }
};
