import type { Schema } from './schema.ts';

/** Annotations that a validator never reads. */
const ANNOTATIONS = new Set(['title', 'description', 'example', 'examples', 'deprecated', 'externalDocs', 'xml', '$comment']);
const MAPS_OF_SCHEMAS = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs']);
const SCHEMAS = new Set(['items', 'contains', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else']);
const LISTS_OF_SCHEMAS = new Set(['allOf', 'oneOf', 'anyOf', 'prefixItems']);

export type Where = 'here' | 'inside';

/**
 * A copy without annotations and extensions. `visit` rewrites each subschema: `here` is one that describes the same
 * instance (allOf, oneOf, …), `inside` one that describes a member or an item. Members named `description` and the
 * values of `const`, `enum` and `default` are data, not annotations, and stay.
 */
export function leanSchema(schema: Schema, visit: (child: Schema, where: Where, keyword: string) => Schema): Schema {
  const lean: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (ANNOTATIONS.has(keyword) || keyword.startsWith('x-')) continue;
    if (keyword === 'discriminator') lean[keyword] = { propertyName: (value as NonNullable<Schema['discriminator']>).propertyName };
    else if (MAPS_OF_SCHEMAS.has(keyword)) lean[keyword] = mapValues(value as Record<string, Schema>, (child) => visit(child, 'inside', keyword));
    else if (LISTS_OF_SCHEMAS.has(keyword)) lean[keyword] = (value as Schema[]).map((child) => visit(child, 'here', keyword));
    else if (SCHEMAS.has(keyword) && typeof value === 'object') lean[keyword] = visit(value as Schema, 'inside', keyword);
    else lean[keyword] = value;
  }
  return lean as Schema;
}

function mapValues<V, W>(record: Readonly<Record<string, V>>, change: (value: V) => W): Record<string, W> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
