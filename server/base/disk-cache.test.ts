/** Tests of the cache of files in a folder. */
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DiskCache } from './disk-cache.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'disk-cache-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a cache on disk', () => {
  it('returns the written text for the same inputs, and nothing for others', () => {
    const cache = new DiskCache(join(folder, 'made'), '.json');
    const path = cache.pathOf(['a', 'b']);
    expect(cache.read(path)).toBeNull();
    cache.write(path, '{}');
    expect(cache.read(cache.pathOf(['a', Buffer.from('b')]))).toBe('{}');
    for (const others of [['a', 'c'], ['ab'], ['a', 'b', ''], ['b', 'a']])
      expect(cache.read(cache.pathOf(others))).toBeNull();
  });

  it('keeps the eight newest files and leaves no draft behind', () => {
    const cache = new DiskCache(folder, '.json');
    const paths = Array.from({ length: 10 }, (_, index) => cache.pathOf([String(index)]));
    for (const [index, path] of paths.entries()) {
      cache.write(path, String(index));
      utimesSync(path, 1000 + index, 1000 + index);
    }
    expect(readdirSync(folder).sort()).toEqual(
      paths
        .slice(2)
        .map((path) => path.slice(folder.length + 1))
        .sort(),
    );
  });

  it('writes nothing and does not fail if the folder cannot be created', () => {
    writeFileSync(join(folder, 'file'), '');
    const cache = new DiskCache(join(folder, 'file'), '.json');
    cache.write(cache.pathOf(['a']), '{}');
    expect(cache.read(cache.pathOf(['a']))).toBeNull();
  });
});
