import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RuntimeContract } from '../../server/contract/pruned-contract.ts';

/** A fresh copy of what the service enforces. */
export function runtimeContract(): RuntimeContract {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../../server/contract/generated/contract.runtime.json'), 'utf8')) as RuntimeContract;
}
