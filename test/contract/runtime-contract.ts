/** Reads the generated contract of the server. Used by the tests of the validators; each call returns a fresh copy. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RuntimeContract } from '../../server/contract/pruned-contract.ts';

/** Returns a fresh copy of the contract that the service enforces. */
export function runtimeContract(): RuntimeContract {
  return JSON.parse(
    readFileSync(join(import.meta.dirname, '../../server/contract/generated/contract.runtime.json'), 'utf8'),
  ) as RuntimeContract;
}
