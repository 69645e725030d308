/** Tests of the seeded faults: each can still be put into the source that it names. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faults, mistakes } from './main.ts';

describe('the seeded faults', () => {
  it('can be put in: the text of each stands in its file exactly once', () => {
    expect(mistakes(join(import.meta.dirname, '../..'))).toEqual([]);
  });

  it('are told from each other, and change something', () => {
    expect(new Set(faults.map(({ breaks }) => breaks)).size).toBe(faults.length);
    expect(faults.filter(({ before, after }) => before === after)).toEqual([]);
  });

  it('are forty at least, and of every place', () => {
    expect(faults.length).toBeGreaterThanOrEqual(40);
    for (const place of [
      'server/request/',
      'server/identity/',
      'server/modules/',
      'server/database/',
      'server/pages/dashboard/',
      'sdks/typescript/',
      'sdks/python/',
      'openapi.yaml',
    ]) {
      expect(faults.filter(({ file }) => file.startsWith(place)).length, place).toBeGreaterThanOrEqual(2);
    }
  });
});
