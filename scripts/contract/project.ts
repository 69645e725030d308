/**
 * Reads the contract of this project, cached as JSON. Used by tests and tools that need no places. The cache depends on
 * everything listed in `INPUTS`; a file that is missing there gives outdated results.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DiskCache } from '../../server/base/disk-cache.ts';
import type { Contract } from './contract.ts';
import { readContract } from './read.ts';

const ROOT = join(import.meta.dirname, '../..');
const FILE = join(ROOT, 'openapi.yaml');
/**
 * Everything that the result depends on: the contract, the code that reads it, and the versions of the packages that
 * parse it.
 */
const INPUTS = [
  FILE,
  join(import.meta.dirname, 'read.ts'),
  join(import.meta.dirname, 'contract.ts'),
  join(ROOT, 'server/base/json-pointer.ts'),
  join(ROOT, 'package-lock.json'),
];

/**
 * Reads the contract of this project. Parsing its YAML takes a second, so the result is cached as JSON. To read another
 * file, or to know the place of a node, call `readContract`.
 */
export function projectContract(cache = new DiskCache(join(ROOT, 'node_modules/.cache/contract'), '.json')): Contract {
  const path = cache.pathOf(INPUTS.map((input) => readFileSync(input)));
  const cached = cache.read(path);
  if (cached !== null) return JSON.parse(cached) as Contract;
  const contract = readContract(FILE);
  cache.write(path, JSON.stringify(contract));
  return contract;
}
