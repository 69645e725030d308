import { schemaTypes } from '../../generate/schema.ts';
import type { Rule } from '../rule.ts';
import { schemaSites } from '../walk-schemas.ts';

/** Every object is a named component: generators name types by it, and a diff reads by it. */
export const schemasNamed: Rule = (contract, report) => {
  for (const { schema, pointer } of schemaSites(contract)) {
    const isObject = schemaTypes(schema).includes('object') || schema.properties !== undefined || schema.allOf !== undefined;
    const named = pointer.length === 3 && pointer[1] === 'schemas';
    const part = pointer.length === 5 && pointer[1] === 'schemas' && pointer[3] === 'allOf';
    if (isObject && !named && !part) report(pointer, 'Move this object to `components/schemas` and give it a name.');
  }
};
