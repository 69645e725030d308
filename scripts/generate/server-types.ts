/** Writes the types of the contract for the server and for clients. Used by the pipeline. */
import openapiTS, { astToString } from 'openapi-typescript';
import type { OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { schemaName, schemaTypes } from '../contract/contract.ts';
import type { Contract, Schema } from '../contract/contract.ts';
import { generatedBy } from './source-text.ts';

/**
 * Returns `server/contract/generated/types.ts`. Members with a default are required here, because the validator sets
 * them before a handler runs; bytes are streams or buffers, and ids have a type of their own, not strings.
 */
export function serverTypes(contract: Contract): Promise<string> {
  return types(contract, {
    formats: { binary: 'Binary', uuid: 'Uuid' },
    inject: "import type { Uuid } from '../../base/uuid.ts';\nimport type { Binary } from '../binary.ts';",
    defaultNonNullable: true,
  });
}

/**
 * Returns `server/contract/generated/client-types.ts`, for the dashboard and for calls of tests: a client may omit
 * members with a default, and sends files as blobs.
 */
export function clientTypes(contract: Contract): Promise<string> {
  return types(contract, { formats: { binary: 'Blob' }, defaultNonNullable: false });
}

interface Options {
  /** Names of the types for some formats, in place of `string`. */
  readonly formats: Readonly<Record<string, string>>;
  readonly inject?: string;
  readonly defaultNonNullable: boolean;
}

/** Marks an array that holds the schema of which it is an alternative. */
const LIST = 'x-list-of';

async function types(contract: Contract, { formats, inject = '', ...options }: Options): Promise<string> {
  const { marked, names } = withMarkedLists(contract);
  const nodes = await openapiTS(marked as unknown as OpenAPI3, {
    ...options,
    inject: [inject, ...names.map(listInterface)].join('\n').trim(),
    silent: true,
    transform: ({ format, [LIST]: list }: { readonly format?: string; readonly [LIST]?: string }) => {
      const name = list === undefined ? formats[format ?? ''] : `${list}List`;
      return name === undefined ? undefined : ts.factory.createTypeReferenceNode(name);
    },
  });
  return `// ${generatedBy('openapi-typescript')}\n${astToString(nodes)}`;
}

/** Returns the interface of a list. The compiler resolves the base of an interface late, and an array type at once. */
function listInterface(name: string): string {
  return `export interface ${name}List extends Array<components['schemas']['${name}']> {}`;
}

/** Returns a copy in which every schema that is also a list of itself has one alternative for each of its types. */
function withMarkedLists(contract: Contract): { readonly marked: object; readonly names: readonly string[] } {
  const { schemas = {} } = contract.components;
  const names = Object.keys(schemas).filter((name) => {
    const { type, items } = schemas[name] as Schema;
    return Array.isArray(type) && schemaName(items) === name;
  });
  const divided = names.map((name) => {
    const { type: _, ...schema } = schemas[name] as Schema;
    const anyOf = schemaTypes(schemas[name] as Schema).map((type) =>
      type === 'array' ? { type, [LIST]: name } : { ...schema, type },
    );
    return [name, { anyOf, ...(schema.description !== undefined && { description: schema.description }) }] as const;
  });
  const components = { ...contract.components, schemas: { ...schemas, ...Object.fromEntries(divided) } };
  return { marked: structuredClone({ ...contract, components }), names };
}
