/** Test that the cached contract equals the one that is read from YAML. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DiskCache } from '../../server/base/disk-cache.ts';
import { projectContract } from './project.ts';
import { readContract } from './read.ts';

it('the contract cached as JSON equals the contract read from YAML, value by value', () => {
  const folder = mkdtempSync(join(tmpdir(), 'contract-'));
  try {
    const cache = new DiskCache(folder, '.json');
    const [read, kept] = [projectContract(cache), projectContract(cache)];
    expect(read).toStrictEqual(readContract(join(import.meta.dirname, '../../openapi.yaml')));
    expect(kept).not.toBe(read);
    expect(kept).toStrictEqual(read);
    expect(JSON.stringify(kept)).toBe(JSON.stringify(read));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
