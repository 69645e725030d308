import openapiTS, { astToString } from 'openapi-typescript';
import type { OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import type { Contract } from '../contract/contract.ts';
import { generatedBy } from './source-text.ts';

/**
 * Returns `server/contract/generated/types.ts`. Members with a default are required here, because the validator sets
 * them before a handler runs; bytes are streams or buffers, not strings.
 */
export function serverTypes(contract: Contract): Promise<string> {
  return types(contract, {
    bytes: 'Binary',
    inject: "import type { Binary } from '../binary.ts';",
    defaultNonNullable: true,
  });
}

/**
 * Returns `server/contract/generated/client-types.ts`, for the dashboard and for calls of tests: a client may omit
 * members with a default, and sends files as blobs.
 */
export function clientTypes(contract: Contract): Promise<string> {
  return types(contract, { bytes: 'Blob', defaultNonNullable: false });
}

async function types(
  contract: Contract,
  { bytes, ...options }: { bytes: string; inject?: string; defaultNonNullable: boolean },
): Promise<string> {
  const nodes = await openapiTS(structuredClone(contract) as unknown as OpenAPI3, {
    ...options,
    silent: true,
    transform: (schema) => (schema.format === 'binary' ? ts.factory.createTypeReferenceNode(bytes) : undefined),
  });
  return `// ${generatedBy('openapi-typescript')}\n${astToString(nodes)}`;
}
