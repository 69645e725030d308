import { schemaTypes } from '../../generate/schema.ts';
import type { Rule } from '../rule.ts';
import { schemaSites } from '../walk-schemas.ts';

/** Every string says how long it may be; an enum, a constant and bytes say it otherwise. */
export const stringBounds: Rule = (contract, report) => {
  for (const { schema, pointer } of schemaSites(contract)) {
    const bounded = schema.maxLength !== undefined || schema.enum !== undefined || schema.const !== undefined || schema.format === 'binary';
    if (schemaTypes(schema).includes('string') && !bounded) report(pointer, 'Give this string a `maxLength`.');
    if (schema.pattern !== undefined && !/^\^.*\$$/s.test(schema.pattern)) report(pointer, 'Anchor the pattern: `^…$`.');
  }
};
