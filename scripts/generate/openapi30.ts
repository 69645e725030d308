import { METHODS } from './contract.ts';
import type { Contract, Method, Operation } from './contract.ts';
import { constantNames } from './openapi31.ts';
import { schema30 } from './schema30.ts';
import type { Schema } from './schema.ts';

type Node = Readonly<Record<string, unknown>>;

/** Members that both versions write alike, and whose own members may have any name. */
const ALIKE = new Set(['example', 'examples', 'securitySchemes']);

/**
 * The contract as OpenAPI 3.0.3, for generators of clients that stumble over 3.1: the same operations, answers and shapes,
 * without the extensions that no generator knows.
 */
export function openapi30(contract: Contract): Node {
  const { openapi: _, info, paths, components, ...rest } = contract;
  const { schemas = {}, ...others } = components;
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value as Node).filter(([key]) => !key.startsWith('x-')).map(([key, child]) => [
      key, key === 'schema' ? schema30(contract, child as Schema) : ALIKE.has(key) ? child : plain(child),
    ]));
  };
  return {
    openapi: '3.0.3',
    info: info30(info),
    ...rest,
    paths: mapValues(paths, (item) => mapValues(item, (value, key) => plain(METHODS.includes(key as Method) ? operation30(value as Operation) : value))),
    components: {
      schemas: mapValues(schemas, (schema, name) => ({ ...schema30(contract, schema), ...constantNames(name, schema) })),
      ...plain(others) as Node,
    },
  };
}

/** 3.0 knows no summary of the whole and no SPDX expression. */
function info30({ summary: _, license, ...info }: Contract['info'] & { readonly summary?: string; readonly license?: { readonly name: string } }): Node {
  return { ...info, ...(license !== undefined && { license: { name: license.name } }) };
}

/** Scopes may stand with OAuth alone (3.0.3, Security Requirement Object); the description says which one a key or a session needs. */
function operation30(operation: Operation): Node {
  const scopes = [...new Set(operation.security.flatMap((requirement) => Object.values(requirement).flat()))];
  return {
    ...operation,
    description: scopes.length === 0 ? operation.description : `${operation.description.trimEnd()}\n\nScope: \`${scopes.join('`, `')}\`.`,
    security: operation.security.map((requirement) => mapValues(requirement, (named, scheme) => (scheme === 'oauth2' ? named : []))),
  };
}

function mapValues<V, W>(record: Readonly<Record<string, V>>, change: (value: V, key: string) => W): Record<string, W> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}
