import { METHODS, resolve } from '../contract/contract.ts';
import type { Contract, PathItem, Reference, Schema } from '../contract/contract.ts';

type Node = Readonly<Record<string, unknown>>;

/** Keywords of JSON Schema 2020-12 below which schemas stand: one, in a list, by name. */
const SINGLE = new Set(['items', 'contains', 'not', 'if', 'then', 'else', 'propertyNames', 'additionalProperties']);
const LISTED = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const NAMED = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs']);
/** What may look like a schema and is a value. */
const VALUES = new Set(['example', 'examples', 'value', 'default', 'enum', 'const']);

/**
 * A contract in the form in which the house rules read one: they know OpenAPI 3.1 as this house writes it, and any document of
 * OpenAPI 3.0 or 3.1 may be compared. Everything stays at its place, so pointers into the file hold.
 */
export function inCommonForm(contract: Contract): Contract {
  const { paths, components: { schemas, ...components }, ...rest } = contract;
  return {
    ...below(rest) as Contract,
    paths: mapped(paths, (item) => itemOf(contract, item)),
    components: { ...below(components) as Contract['components'], schemas: mapped(schemas ?? {}, schemaOf) },
  };
}

/** A path item may be empty, or a reference (OpenAPI 3.1 section 4.8.9). */
function itemOf(contract: Contract, item: PathItem | Reference | null): PathItem {
  const { $ref, ...beside } = (item ?? {}) as Partial<Reference> & PathItem;
  const known = $ref === undefined ? beside : { ...resolve<PathItem>(contract, { $ref }), ...beside };
  const empty = METHODS.filter((method) => known[method] === null).map((method) => [method, {}]);
  return below({ ...known, ...Object.fromEntries(empty) }) as PathItem;
}

function below(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(below);
  if (typeof node !== 'object' || node === null) return node;
  return mapped(node as Node, (value, name) => (name === 'schema' ? schemaOf(value) : VALUES.has(name) || name.startsWith('x-') ? value : below(value)));
}

function schemaOf(node: unknown): Schema {
  // JSON Schema 2020-12 section 4.3.2: `true` allows everything and `false` nothing.
  if (typeof node === 'boolean') return (node ? {} : { not: {} }) as Schema;
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return {};
  const schema = mapped(node as Node, (value, keyword) => {
    if (keyword === 'additionalProperties' && typeof value === 'boolean') return value;
    if (SINGLE.has(keyword)) return schemaOf(value);
    if (LISTED.has(keyword) && Array.isArray(value)) return value.map(schemaOf);
    return NAMED.has(keyword) && typeof value === 'object' && value !== null ? mapped(value as Node, schemaOf) : value;
  });
  // OpenAPI 3.0 says null with a keyword of its own.
  return schema['nullable'] === true && typeof schema['type'] === 'string' ? { ...schema, type: [schema['type'], 'null'] } : schema;
}

function mapped<T>(named: Readonly<Record<string, T>>, map: (value: T, name: string) => unknown): Record<string, never> {
  return Object.fromEntries(Object.entries(named).map(([name, value]) => [name, map(value, name) as never]));
}
