import type { Rule } from '../rule.ts';
import { schemaTypes } from '../../generate/schema.ts';
import { schemaSites } from '../walk-schemas.ts';

/** One way to say null: `type: [T, 'null']` for scalars, `oneOf: [$ref, {type: 'null'}]` for references. */
export const nullableStyle: Rule = (contract, report) => {
  for (const { schema, pointer } of schemaSites(contract)) {
    if ('nullable' in schema) report(pointer, '`nullable` is not a keyword of OpenAPI 3.1.');
    const types = schemaTypes(schema);
    if (types.length > 1 && types.includes('null') && types.some((type) => type === 'object' || type === 'array')) {
      report(pointer, 'Name the object or array and write `oneOf: [$ref, {type: "null"}]`.');
    }
    if (schema.anyOf?.some((member) => member.type === 'null')) report(pointer, 'Write `oneOf` instead of `anyOf` for a nullable reference.');
    const scalar = schema.oneOf?.length === 2 && schema.oneOf.some((member) => member.type === 'null') && schema.oneOf.every((member) => member.$ref === undefined);
    if (scalar === true) report(pointer, 'Write `type: [T, "null"]` for a nullable scalar.');
  }
};
