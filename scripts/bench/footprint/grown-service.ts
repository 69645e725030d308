import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RuntimeContract } from '../../../server/contract/pruned-contract.ts';
import { growContract } from '../validation/grow-contract.ts';

/** What the preload is told: the files that take the place of the generated ones. */
export interface Replacement {
  readonly operationsFile: string;
  readonly contractFile: string;
}

export interface GrownService {
  readonly nodeOptions: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Paths without parameters that answer a GET, one per copy of the contract. */
  readonly listPaths: readonly string[];
}

/** How to start the service as if its contract had `count` operations. A copy is served by the handler of its original. */
export function grownService(runtimeContractFile: string, count: number, folder: string): GrownService {
  const { contract, operations } = growContract(JSON.parse(readFileSync(runtimeContractFile, 'utf8')) as RuntimeContract, count);
  const table = Object.fromEntries(operations.map((operation) => [operation.operationId, { ...operation, operationId: operation.operationId.replace(/_copy\d+$/, '') }]));
  const replacement: Replacement = { operationsFile: join(folder, 'operations.js'), contractFile: join(folder, 'contract.json') };
  writeFileSync(replacement.operationsFile, `export const operations = ${JSON.stringify(table)};\n`);
  writeFileSync(replacement.contractFile, JSON.stringify(contract));
  return {
    nodeOptions: ['--import', pathToFileURL(join(import.meta.dirname, 'preload.ts')).href],
    env: { BENCH_REPLACEMENT: JSON.stringify(replacement) },
    listPaths: operations.filter(({ operationId }) => operationId.startsWith('listApplications')).map(({ path }) => path),
  };
}
