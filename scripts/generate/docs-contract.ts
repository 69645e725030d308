import { METHODS } from './contract.ts';
import type { Contract, PathItem } from './contract.ts';
import type { CodeSample } from './code-samples/sample.ts';

/**
 * The contract for readers: samples on every operation, and no tag that has no operation yet. Only this copy carries
 * `x-codeSamples`; clients and tools get the contract as it was written.
 */
export function docsContract(contract: Contract, samples: ReadonlyMap<string, readonly CodeSample[]>): Contract & { readonly externalDocs: object } {
  const used = new Set(Object.values(contract.paths).flatMap((item) => METHODS.flatMap((method) => item[method]?.tags ?? [])));
  return {
    ...contract,
    // The page is served by the installation that it describes.
    servers: [{ url: '/', description: 'This installation' }],
    externalDocs: { url: '/openapi-3.0.json', description: 'OpenAPI 3.0 for generators of clients in other languages' },
    ...(contract.tags !== undefined && { tags: contract.tags.filter((tag) => used.has(tag.name)) }),
    paths: Object.fromEntries(Object.entries(contract.paths).map(([path, item]) => [path, withSamples(item, samples)])),
  };
}

function withSamples(item: PathItem, samples: ReadonlyMap<string, readonly CodeSample[]>): PathItem {
  return Object.fromEntries(Object.entries(item).map(([key, value]) => {
    const operation = METHODS.includes(key as (typeof METHODS)[number]) ? item[key as (typeof METHODS)[number]] : undefined;
    if (operation === undefined) return [key, value];
    return [key, { ...operation, 'x-codeSamples': samples.get(operation.operationId) ?? [] }];
  }));
}
