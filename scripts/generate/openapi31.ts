import type { Contract } from './contract.ts';
import { constantName } from './naming.ts';
import { oneOfEach } from './schema30.ts';
import type { Schema } from './schema.ts';

/**
 * The contract as the JSON document of a running service: word for word what openapi.yaml says, but for three spellings that
 * generators of clients need in order to write programs that compile. A boolean constant becomes a boolean that is not the other
 * one (they write constants down as strings), several types become one alternative for each (they take the first), and the
 * constants of enumerations get names that differ from each other.
 */
export function openapi31(contract: Contract): Contract {
  const schemas = Object.entries(contract.components.schemas ?? {}).map(([name, schema]) => [name, { ...spelt(schema) as Schema, ...constantNames(name, schema) }]);
  return { ...contract, components: { ...contract.components, schemas: Object.fromEntries(schemas) as Record<string, Schema> } };
}

/** `x-enum-varnames`, which the generators read beside `enum`. */
export function constantNames(name: string, schema: Schema): { readonly 'x-enum-varnames'?: readonly string[] } {
  return schema.enum === undefined ? {} : { 'x-enum-varnames': schema.enum.map((value) => constantName(name, value)) };
}

function spelt(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(spelt);
  if (typeof node !== 'object' || node === null) return node;
  const { const: constant, ...rest } = Object.fromEntries(Object.entries(node).map(([key, child]) => [key, key === 'example' || key === 'examples' ? child : spelt(child)]));
  if (typeof constant === 'boolean') return { ...rest, not: { const: !constant } };
  if (Array.isArray(rest['type']) && rest['type'].filter((type) => type !== 'null').length > 1) return oneOfEach(rest);
  return constant === undefined ? rest : { ...rest, const: constant };
}
