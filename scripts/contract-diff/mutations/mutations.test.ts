/**
 * Tests of the trials by which the comparison itself is judged: kinds of change, their table, and the cut-down
 * contract.
 */
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readContract } from '../../contract/read.ts';
import { operationSites } from '../../contract/walk.ts';
import { cutTo } from './cut.ts';
import { confusionTable, mistaken, mutations } from './run.ts';
import type { Trial } from './run.ts';

const contract = readContract(resolve(import.meta.dirname, '../../../openapi.yaml'));

describe('the kinds of change', () => {
  it('are at least sixty, each with a unique name', () => {
    expect(mutations.length).toBeGreaterThanOrEqual(60);
    expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length);
  });

  it('can each be made somewhere in the contract, and change it', () => {
    const text = JSON.stringify(contract);
    const idle = mutations.filter(({ edits }) => {
      const draft = structuredClone(contract);
      edits(draft)[0]?.apply();
      return JSON.stringify(draft) === text;
    });
    expect(idle.map(({ name }) => name)).toEqual([]);
  });
});

describe('the table of expected and actual verdicts', () => {
  const trial = (expected: Trial['given'], given: Trial['given']): Trial => ({
    mutation: { name: 'a change', expected, edits: () => [] },
    where: 'somewhere',
    given,
    changes: [],
  });
  const trials = [trial('breaking', 'breaking'), trial('breaking', 'docs-only'), trial('docs-only', 'docs-only')];

  it('counts each trial in its row and column', () => {
    expect(
      confusionTable(trials)
        .split('\n')
        .map((line) => line.trim().split(/\s{2,}/)),
    ).toEqual([
      ['expected \\ given', 'breaking', 'non-breaking', 'docs-only'],
      ['breaking', '1', '0', '1'],
      ['non-breaking', '0', '0', '0'],
      ['docs-only', '0', '0', '1'],
    ]);
  });

  it('names the trials off its diagonal', () => {
    expect(mistaken(trials)).toEqual(['a change at somewhere: breaking, but called docs-only']);
  });
});

describe('a contract that is cut down', () => {
  it('keeps a place for every kind of change, and has no reference to a removed part', () => {
    const cut = cutTo(contract, 20, mutations);
    const left = operationSites(cut).length;
    expect([left >= 20, left < operationSites(contract).length / 2]).toEqual([true, true]);
    const text = JSON.stringify(cut);
    const used = new Set(
      [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)].map(([, kind = '', name = '']) => `${kind}/${name}`),
    );
    const there = Object.entries(cut.components).flatMap(([kind, named]) =>
      Object.keys(named as object).map((name) => `${kind}/${name}`),
    );
    expect([...used].filter((name) => !there.includes(name))).toEqual([]);
    expect(used.size).toBeGreaterThan(20);
  });
});
