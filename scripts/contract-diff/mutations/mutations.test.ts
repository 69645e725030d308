import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readContract } from '../../generate/read-contract.ts';
import { confusionTable, mistaken } from './confusion.ts';
import { mutations } from './index.ts';
import { mutate } from './run.ts';

const root = resolve(import.meta.dirname, '../../..');
const soak = process.env['SOAK'] === 'true';
/** Bounded runs compare what changed; full ones also show that this is the same as comparing everything. */
const extent = { places: soak ? 8 : 1, seed: 5, whole: soak };

describe('the verdict on changes of the real contract', () => {
  it('knows at least sixty kinds of change, each by one name', () => {
    expect(mutations.length).toBeGreaterThanOrEqual(60);
    expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length);
  });

  it('neither misses a breaking change nor raises a false alarm', { timeout: soak ? 7_200_000 : 600_000 }, async () => {
    const trials = await mutate(root, readContract(`${root}/openapi.yaml`), mutations, extent);
    console.log(`${mutations.length} kinds of change, ${trials.length} places\n${confusionTable(trials)}`);
    expect(mistaken(trials)).toEqual([]);
  });
});
