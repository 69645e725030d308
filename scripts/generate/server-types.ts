import openapiTS, { astToString } from 'openapi-typescript';
import type { OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import type { Contract } from '../contract/contract.ts';
import { generatedBy } from './source-text.ts';

/**
 * `server/contract/generated/types.ts`. Members with a default are required here because the validator fills them
 * before a handler runs; bytes are streams or buffers, not strings.
 */
export async function serverTypes(contract: Contract): Promise<string> {
  const nodes = await openapiTS(structuredClone(contract) as unknown as OpenAPI3, {
    silent: true,
    defaultNonNullable: true,
    inject: "import type { Binary } from '../binary.ts';",
    transform: (schema) => (schema.format === 'binary' ? ts.factory.createTypeReferenceNode('Binary') : undefined),
  });
  return `// ${generatedBy('openapi-typescript')}\n${astToString(nodes)}`;
}
