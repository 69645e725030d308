import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DiskCache } from '../../server/base/disk-cache.ts';
import type { Contract } from './contract.ts';
import { readContract } from './read.ts';

const ROOT = join(import.meta.dirname, '../..');
const FILE = join(ROOT, 'openapi.yaml');
/** Everything that the result depends on: the contract, how it is read, and the versions of the packages that read it. */
const INPUTS = [FILE, join(import.meta.dirname, 'read.ts'), join(import.meta.dirname, 'contract.ts'), join(ROOT, 'package-lock.json')];

/**
 * Reads the contract of this project. Parsing its YAML takes a second, so the result is kept as JSON; whoever reads a file of its own, or must
 * know where something stands in it, calls `readContract`.
 */
export function projectContract(cache = new DiskCache(join(ROOT, 'node_modules/.cache/contract'), '.json')): Contract {
  const path = cache.pathOf(INPUTS.map((input) => readFileSync(input)));
  const kept = cache.read(path);
  if (kept !== null) return JSON.parse(kept) as Contract;
  const contract = readContract(FILE);
  cache.write(path, JSON.stringify(contract));
  return contract;
}
