import type { Schema } from '../schema.ts';
import type { NamedSchemas } from './named-schemas.ts';
import { variantsOf } from './unions.ts';

/** Formats that become Python types of their own; the others (`email`, `uri`, `password`) stay text. */
const TYPED_FORMATS = new Set(['date', 'date-time', 'uuid', 'binary']);

/**
 * The document that the model generator reads: no paths, and no limits. The server enforces the limits of the
 * contract; a client that repeats them refuses answers as soon as a later server widens one.
 */
export function modelsContract(schemas: NamedSchemas): object {
  const variants = variantsOf(schemas);
  return {
    openapi: '3.1.0',
    info: { title: 'models', version: '1' },
    paths: {},
    components: { schemas: Object.fromEntries([...schemas].map(([name, schema]) => [name, tolerant(schema, variants.has(name))])) },
  };
}

/** A single possible value is a limit as well, except where it tells a variant from the others. */
function tolerant(schema: Schema, isVariant = false): Schema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [name, { ...tolerant(property), ...(isVariant && property.const !== undefined ? { const: property.const } : {}) }] as const);
  return defined({
    $ref: schema.$ref,
    type: numeric(schema.type),
    description: schema.description,
    enum: schema.enum?.filter((value) => value !== null),
    format: TYPED_FORMATS.has(schema.format ?? '') ? schema.format : undefined,
    items: schema.items === undefined ? undefined : tolerant(schema.items),
    properties: schema.properties === undefined ? undefined : Object.fromEntries(properties),
    required: schema.required,
    additionalProperties: typeof schema.additionalProperties === 'object' ? tolerant(schema.additionalProperties)
      : schema.additionalProperties === true ? true : undefined,
    allOf: schema.allOf?.map((part) => tolerant(part)),
    oneOf: schema.oneOf?.map((part) => tolerant(part)),
    discriminator: schema.discriminator,
    'x-pii': schema['x-pii'],
  });
}

/** In a union, `number` alone would turn 5 into 5.0. */
function numeric(type: Schema['type']): Schema['type'] {
  return Array.isArray(type) && type.includes('number') && !type.includes('integer') ? ['integer', ...type] : type;
}

function defined(schema: { readonly [K in keyof Schema]: Schema[K] | undefined }): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}
