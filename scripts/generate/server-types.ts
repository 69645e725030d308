import openapiTS, { astToString } from 'openapi-typescript';
import type { OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import type { Contract } from '../contract/contract.ts';
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

async function types(contract: Contract, { formats, ...options }: Options): Promise<string> {
  const nodes = await openapiTS(structuredClone(contract) as unknown as OpenAPI3, {
    ...options,
    silent: true,
    transform: ({ format }) => {
      const name = format === undefined ? undefined : formats[format];
      return name === undefined ? undefined : ts.factory.createTypeReferenceNode(name);
    },
  });
  return `// ${generatedBy('openapi-typescript')}\n${astToString(nodes)}`;
}
