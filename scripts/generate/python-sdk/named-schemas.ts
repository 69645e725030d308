/**
 * Which schemas have names in the Python SDK. Used by the writers of models and arguments. A name that is taken is an
 * error.
 */
import { pascalCase } from '../naming.ts';
import { schemaName, schemaTypes } from '../../contract/contract.ts';
import type { Schema } from '../../contract/contract.ts';

/**
 * Schemas as Python sees them: objects and enumerations have names; scalars, arrays and maps are written inline where
 * they are used; an enumeration or an object inside an object becomes a named schema `<Object><Member>`.
 */
export type NamedSchemas = ReadonlyMap<string, Schema>;

export function namedSchemas(schemas: Readonly<Record<string, Schema>>): NamedSchemas {
  const named = new Map<string, Schema>();
  for (const [name, schema] of Object.entries(schemas)) {
    if (isNamed(schema)) named.set(name, schema);
  }
  // New named schemas are appended, and so visited later in this loop.
  for (const [name, schema] of named) {
    if (schema.enum !== undefined) continue;
    named.set(name, {
      ...schema,
      ...(schema.properties === undefined ? {} : { properties: membersOf(name, schema.properties, schemas, named) }),
      ...(schema.allOf === undefined
        ? {}
        : {
            allOf: schema.allOf.map((part) =>
              part.properties === undefined
                ? part
                : { ...part, properties: membersOf(name, part.properties, schemas, named) },
            ),
          }),
    });
  }
  return named;
}

function membersOf(
  name: string,
  properties: Readonly<Record<string, Schema>>,
  schemas: Place['schemas'],
  named: Place['named'],
): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    Object.entries(properties).map(([member, property]) => [
      member,
      written(property, { name: `${name}${pascalCase(member)}`, schemas, named }),
    ]),
  );
}

/** Returns a parameter's schema with scalars written inline; a named enumeration is unchanged. */
export function writtenOut(schema: Schema, schemas: Readonly<Record<string, Schema>>): Schema {
  return written(schema, { name: '', schemas, named: new Map() });
}

interface Place {
  /** Name for an enumeration found here; empty if none may get a name. */
  readonly name: string;
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly named: Map<string, Schema>;
  /** Schemas that are written inline around this place. */
  readonly within?: readonly string[];
}

function isNamed(schema: Schema): boolean {
  return (
    schema.enum !== undefined ||
    (schema.properties !== undefined && !isOfSeveralTypes(schema)) ||
    schema.allOf !== undefined ||
    (schema.oneOf ?? []).some((variant) => variant.$ref !== undefined && schema.discriminator !== undefined)
  );
}

/** Returns whether a value may be an object, or something else than null. A class can only be one of the two. */
function isOfSeveralTypes(schema: Schema): boolean {
  return schemaTypes(schema).filter((type) => type !== 'null').length > 1;
}

/** What holds itself and has no name, such as a list of lists, is any value where it does so. */
function written(schema: Schema, place: Place): Schema {
  const target = schemaName(schema);
  if (target !== null) {
    const named = place.schemas[target];
    if (named === undefined) throw new Error(`unknown schema ${target}`);
    if (isNamed(named)) return schema;
    const { $ref: _, ...beside } = schema;
    const within = place.within ?? [];
    return within.includes(target)
      ? beside
      : written({ ...named, ...beside }, { ...place, within: [...within, target] });
  }
  const nullable = nullableVariant(schema);
  if (nullable !== null) {
    const { oneOf: _, ...beside } = schema;
    const inner = written(nullable, place);
    if (inner.$ref !== undefined) return { ...beside, oneOf: [inner, { type: 'null' }] };
    const types = [inner.type ?? []].flat();
    return { ...inner, ...beside, type: types.includes('null') ? types : [...types, 'null'] };
  }
  const { properties, ...others } = schema;
  const isObject = properties !== undefined && !isOfSeveralTypes(schema);
  if ((schema.enum !== undefined || isObject) && place.name !== '') return lifted(schema, place);
  return {
    ...(isOfSeveralTypes(schema) ? others : schema),
    ...(schema.oneOf === undefined ? {} : { oneOf: schema.oneOf.map((variant) => written(variant, place)) }),
    ...(schema.anyOf === undefined ? {} : { anyOf: schema.anyOf.map((variant) => written(variant, place)) }),
    ...(schema.items === undefined ? {} : { items: written(schema.items, place) }),
    ...(typeof schema.additionalProperties === 'object'
      ? { additionalProperties: written(schema.additionalProperties, place) }
      : {}),
  };
}

/** Returns X of `oneOf: [X, {type: 'null'}]`. */
export function nullableVariant(schema: Schema): Schema | null {
  const variants = schema.oneOf ?? [];
  const rest = variants.filter((variant) => variant.type !== 'null');
  const [only] = rest;
  return only !== undefined && rest.length === 1 && variants.length === 2 ? only : null;
}

function lifted(schema: Schema, { name, named, schemas }: Place): Schema {
  if (name in schemas)
    throw new Error(`what ${name} would be called has the name of a schema; refer to that schema instead`);
  named.set(name, schema.enum === undefined ? schema : { ...schema, type: 'string' });
  const reference = { $ref: `#/components/schemas/${name}` };
  const { description, 'x-pii': pii } = schema;
  const beside = {
    ...(description === undefined ? {} : { description }),
    ...(pii === undefined ? {} : { 'x-pii': pii }),
  };
  const nullable = [schema.type ?? []].flat().includes('null') || schema.enum?.includes(null) === true;
  return nullable ? { ...beside, oneOf: [reference, { type: 'null' }] } : { ...beside, ...reference };
}
