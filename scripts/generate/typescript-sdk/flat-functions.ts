import { createClient } from '@hey-api/openapi-ts';
import type { Contract } from '../contract.ts';
import { generatedBy } from '../header.ts';

/**
 * hey-api writes one function and a few types for each operation. It is told to leave out what the runtime does
 * better (a global client, credentials) and to keep enums open that the contract marks `x-enum-open`.
 */
export async function writeFlatFunctions(directory: string, contract: Contract): Promise<void> {
  await createClient({
    input: { ...contract },
    logs: { level: 'silent' },
    output: {
      path: directory,
      clean: true,
      entryFile: false,
      header: [`// ${generatedBy('scripts/generate.ts')}`],
      importFileExtension: '.ts',
    },
    // The dialect has separate schemas for requests; the split would drop maps from requests (toolchain.md §6).
    parser: { transforms: { readWrite: { enabled: false } } },
    plugins: [
      { name: '@hey-api/client-fetch', throwOnError: false, baseUrl: false },
      {
        name: '@hey-api/typescript',
        enums: false,
        $resolvers: {
          /** `'a' | 'b' | (string & {})`: completion for what is known, room for what a later version adds. */
          enum: (context) => (isOpen(context.schema)
            ? context.$.type.or(context.nodes.base(context), context.$.type.and(context.$.type('string'), context.$.type.object()))
            : undefined),
        },
      },
      { name: '@hey-api/sdk', auth: false, client: false },
    ],
  });
}

function isOpen(schema: object): boolean {
  return 'x-enum-open' in schema && schema['x-enum-open'] === true;
}
