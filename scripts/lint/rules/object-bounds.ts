import { schemaTypes } from '../../generate/schema.ts';
import type { Schema } from '../../generate/schema.ts';
import type { Rule } from '../rule.ts';
import { schemaSites, schemasReached } from '../walk-schemas.ts';

/** A map says how many entries it may have and how long their names may be; a request has nothing of which there could be any amount. */
export const objectBounds: Rule = (contract, report) => {
  for (const { schema, pointer } of schemaSites(contract)) {
    if (schema.additionalProperties === undefined || schema.additionalProperties === false) continue;
    if (schema.maxProperties === undefined) report(pointer, 'Give this map a `maxProperties`.');
    if (schema.propertyNames?.maxLength === undefined) report(pointer, 'Give the names of this map a `maxLength`, in `propertyNames`.');
  }
  for (const { schema, pointer } of schemasReached(contract, 'request')) {
    if (pointer.at(-1) === 'propertyNames') continue;
    if (schema.additionalProperties === true || isAnything(schema)) report(pointer, 'Say what stands here: a request has bounds everywhere.');
  }
};

function isAnything(schema: Schema): boolean {
  const { enum: values, const: value, properties, allOf, oneOf, anyOf, additionalProperties } = schema;
  if ([values, value, properties, allOf, oneOf, anyOf].some((keyword) => keyword !== undefined)) return false;
  const types = schemaTypes(schema);
  return types.length === 0 || (types.includes('object') && additionalProperties === undefined);
}
