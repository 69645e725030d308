/**
 * The contract as OpenAPI 3.1 and 3.0 for client generators. Used by documents.ts. The meaning must stay the same; a
 * test compares both.
 */
import { dereference, METHODS, schemaTypes } from '../contract/contract.ts';
import type { Contract, Method, Operation, Schema } from '../contract/contract.ts';
import { constantName } from './naming.ts';

/**
 * Returns the contract as the JSON document of a running service: the content of openapi.yaml, with four differences
 * that client generators need in order to write programs that compile. A boolean constant becomes a boolean that
 * excludes the other value (generators write constants as strings), several types become one alternative each
 * (generators take the first), and the constants of enumerations get distinct names. A pattern with properties of
 * Unicode (`\\p{…}`) is removed, leaving its description, because some languages, Python among them, do not support
 * such regular expressions.
 */
export function openapi31(contract: Contract): Contract {
  const schemas = Object.entries(contract.components.schemas ?? {}).map(([name, schema]) => [
    name,
    { ...(spelt(schema) as Schema), ...constantNames(name, schema) },
  ]);
  return {
    ...contract,
    components: { ...contract.components, schemas: Object.fromEntries(schemas) as Record<string, Schema> },
  };
}

/** Returns `x-enum-varnames`, which the generators read beside `enum`. */
function constantNames(name: string, schema: Schema): { readonly 'x-enum-varnames'?: readonly string[] } {
  return schema.enum === undefined ? {} : { 'x-enum-varnames': schema.enum.map((value) => constantName(name, value)) };
}

function spelt(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(spelt);
  if (typeof node !== 'object' || node === null) return node;
  const { const: constant, ...rest } = Object.fromEntries(
    Object.entries(portable(node as Node)).map(([key, child]) => [
      key,
      key === 'example' || key === 'examples' ? child : spelt(child),
    ]),
  );
  if (typeof constant === 'boolean') return { ...rest, not: { const: !constant } };
  if (Array.isArray(rest['type']) && rest['type'].filter((type) => type !== 'null').length > 1) return oneOfEach(rest);
  return constant === undefined ? rest : { ...rest, const: constant };
}

type Node = Readonly<Record<string, unknown>>;

function portable<T extends Node>(node: T): T {
  return typeof node['pattern'] === 'string' && /\\[pP]\{/.test(node['pattern'])
    ? ((({ pattern: _, ...rest }) => rest)(node as Node) as T)
    : node;
}

/** Members that both versions write in the same way, and whose own members may have any name. */
const ALIKE = new Set(['example', 'examples', 'securitySchemes']);

/**
 * Returns the contract as OpenAPI 3.0.3, for client generators that cannot read 3.1: the same operations, responses and
 * shapes, without the extensions that no generator knows.
 */
export function openapi30(contract: Contract): Node {
  const { openapi: _, info, paths, components, ...rest } = contract;
  const { schemas = {}, ...others } = components;
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value as Node)
        .filter(([key]) => !key.startsWith('x-'))
        .map(([key, child]) => [key, member(key, child)]),
    );
  };
  const member = (key: string, value: unknown): unknown => {
    if (key === 'schema') return schema30(contract, value as Schema);
    return ALIKE.has(key) ? value : plain(value);
  };
  return {
    openapi: '3.0.3',
    info: info30(info),
    ...rest,
    paths: mapValues(paths, (item) =>
      mapValues(item, (value, key) => plain(METHODS.includes(key as Method) ? operation30(value as Operation) : value)),
    ),
    components: {
      schemas: mapValues(schemas, (schema, name) => ({
        ...schema30(contract, schema),
        ...constantNames(name, schema),
      })),
      ...(plain(others) as Node),
    },
  };
}

/** Removes the summary and the SPDX expression, which 3.0 does not have. */
function info30({
  summary: _,
  license,
  ...info
}: Contract['info'] & { readonly summary?: string; readonly license?: { readonly name: string } }): Node {
  return { ...info, ...(license !== undefined && { license: { name: license.name } }) };
}

/**
 * Keeps scopes only for OAuth (3.0.3, Security Requirement Object); the description names the scope that a key or a
 * session needs.
 */
function operation30(operation: Operation): Node {
  const scopes = [...new Set(operation.security.flatMap((requirement) => Object.values(requirement).flat()))];
  return {
    ...operation,
    description:
      scopes.length === 0
        ? operation.description
        : `${operation.description.trimEnd()}\n\nScope: \`${scopes.join('`, `')}\`.`,
    security: operation.security.map((requirement) =>
      mapValues(requirement, (named, scheme) => (scheme === 'oauth2' ? named : [])),
    ),
  };
}

function mapValues<V, W>(record: Readonly<Record<string, V>>, change: (value: V, key: string) => W): Record<string, W> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}

/** A schema in the vocabulary of OpenAPI 3.0.3. */
type Schema30 = Readonly<Record<string, unknown>>;

/** Keywords that mean the same in both versions and hold no schema. */
const SAME = new Set([
  'title',
  'description',
  'format',
  'enum',
  'default',
  'example',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'required',
  'minProperties',
  'maxProperties',
  'discriminator',
  'deprecated',
]);
const OF_NUMBERS = new Set(['format', 'minimum', 'maximum', 'multipleOf']);
const BOUNDS: Readonly<Record<string, ReadonlySet<string>>> = {
  string: new Set(['format', 'pattern', 'minLength', 'maxLength']),
  number: OF_NUMBERS,
  integer: OF_NUMBERS,
};

/** Number format of JSON; without it, generators use single precision. */
const DOUBLE = { format: 'double' };

/** Translates a schema of the dialect from OpenAPI 3.1 to 3.0, or throws if 3.0 cannot express it. */
export function schema30(contract: Contract, schema: Schema): Schema30 {
  const { $ref, oneOf, type, ...rest } = portable(schema as Node) as Schema;
  const inner = (child: Schema): Schema30 => schema30(contract, child);
  if ($ref !== undefined) return reference(contract, $ref, keywords(rest, inner));
  const [named, nothing] = oneOf ?? [];
  if (named?.$ref !== undefined && nothing?.type === 'null')
    return reference(contract, named.$ref, { ...keywords(rest, inner), nullable: true });
  const types = schemaTypes(schema);
  const kinds = types.filter((kind) => kind !== 'null');
  if (kinds.length > 1) return inner(oneOfEach(schema));
  return {
    ...(kinds[0] !== undefined && { type: kinds[0] }),
    ...(kinds[0] === 'number' && DOUBLE),
    ...(types.includes('null') && { nullable: true }),
    ...keywords(rest, inner),
    ...(oneOf !== undefined && { oneOf: oneOf.map(inner) }),
  };
}

const SCALARS = new Set(['string', 'integer', 'number', 'boolean']);

/**
 * Translates a reference. In 3.0 nothing may be beside `$ref`, and `nullable` counts only beside `type`: a scalar is
 * written inline where it is used, an object or an enumeration is wrapped in `allOf`, so that its name is kept.
 * Strictly read, that `allOf` does not allow null; but every generator allows it, and the strictly correct form
 * (`oneOf` with an enumeration of null) breaks the generators.
 */
function reference(contract: Contract, $ref: string, beside: Schema30): Schema30 {
  if (Object.keys(beside).length === 0) return { $ref };
  const target = dereference(contract, { $ref });
  const [kind, ...others] = schemaTypes(target).filter((type) => type !== 'null');
  const isOne = kind !== undefined && others.length === 0;
  return isOne && target.enum === undefined && SCALARS.has(kind)
    ? { ...schema30(contract, target), ...beside }
    : { ...(isOne && { type: kind }), allOf: [{ $ref }], ...beside };
}

/**
 * Returns one alternative for each type, with the bounds that apply to it; `null` belongs to the first, because exactly
 * one alternative may match.
 */
function oneOfEach(schema: Schema): Schema {
  const [first, ...others] = schemaTypes(schema).filter((type) => type !== 'null');
  const alternative = (type: string, types: Schema['type']): Schema => ({
    type: types,
    ...select(schema, (keyword) => BOUNDS[type]?.has(keyword) ?? false),
  });
  return {
    ...select(schema, (keyword) => keyword !== 'type' && !Object.values(BOUNDS).some((bounds) => bounds.has(keyword))),
    oneOf: [
      alternative(first!, schemaTypes(schema).includes('null') ? [first!, 'null'] : first),
      ...others.map((type) => alternative(type, type)),
    ],
  };
}

function select(schema: Schema, wanted: (keyword: string) => boolean): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => wanted(keyword)));
}

function keywords(schema: Schema, inner: (child: Schema) => Schema30): Schema30 {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
      if (SAME.has(keyword)) return [[keyword, value]];
      switch (keyword) {
        case 'const':
          return [['enum', [value]]];
        case 'examples':
          return [['example', (value as unknown[])[0]]];
        // 3.0 has no keyword for the names of members; the extension keeps the constraint that the
        // description states in words.
        case 'propertyNames':
          return [['x-property-names', inner(value as Schema)]];
        case 'items':
          return [[keyword, inner(value as Schema)]];
        case 'additionalProperties':
          return [[keyword, typeof value === 'object' ? inner(value as Schema) : value]];
        case 'allOf':
        case 'anyOf':
          return [[keyword, (value as Schema[]).map(inner)]];
        case 'properties':
          return [
            [
              keyword,
              Object.fromEntries(
                Object.entries(value as Record<string, Schema>).map(([name, child]) => [name, inner(child)]),
              ),
            ],
          ];
        default:
          if (keyword.startsWith('x-')) return [];
          throw new Error(
            `OpenAPI 3.0 has no keyword \`${keyword}\`, and nothing says how to write it: extend ` +
              'scripts/generate/renderings.ts.',
          );
      }
    }),
  );
}
