import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readContract } from '../../contract/read.ts';
import { confusionTable, mistaken, mutations } from './run.ts';
import type { Trial } from './run.ts';

const contract = readContract(resolve(import.meta.dirname, '../../../openapi.yaml'));

describe('the kinds of change', () => {
  it('are sixty at least, each of one name', () => {
    expect(mutations.length).toBeGreaterThanOrEqual(60);
    expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length);
  });

  it('can each be made somewhere in the contract, and change it', { timeout: 60_000 }, () => {
    const text = JSON.stringify(contract);
    const idle = mutations.filter(({ edits }) => {
      const draft = structuredClone(contract);
      edits(draft)[0]?.apply();
      return JSON.stringify(draft) === text;
    });
    expect(idle.map(({ name }) => name)).toEqual([]);
  });
});

describe('the table of expected and given verdicts', () => {
  const trial = (expected: Trial['given'], given: Trial['given']): Trial => ({ mutation: { name: 'a change', expected, edits: () => [] }, where: 'somewhere', given, changes: [] });
  const trials = [trial('breaking', 'breaking'), trial('breaking', 'docs-only'), trial('docs-only', 'docs-only')];

  it('counts each trial in its row and column', () => {
    expect(confusionTable(trials).split('\n').map((line) => line.trim().split(/\s{2,}/))).toEqual([
      ['expected \\ given', 'breaking', 'non-breaking', 'docs-only'], ['breaking', '1', '0', '1'], ['non-breaking', '0', '0', '0'], ['docs-only', '0', '0', '1'],
    ]);
  });

  it('names what stands off its diagonal', () => {
    expect(mistaken(trials)).toEqual(['a change at somewhere: breaking, but called docs-only']);
  });
});
