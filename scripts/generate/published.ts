import type { Contract } from './contract.ts';
import { openapi30 } from './openapi30.ts';
import { openapi31 } from './openapi31.ts';

/** The contract as a running service publishes it for programs, by file; openapi.yaml beside them is the contract as it was written. */
export function publishedDocuments(contract: Contract): Readonly<Record<string, string>> {
  return { 'openapi.json': JSON.stringify(openapi31(contract)), 'openapi-3.0.json': JSON.stringify(openapi30(contract)) };
}
