/** Tests of the figures beside the lines of the settings. */
import { describe, expect, it } from 'vitest';
import { each } from '../../../test/support/each.ts';
import type { EstimatedCounts } from '../../screening/engine/estimate.ts';
import { figuresOf } from './estimate.ts';

const LISTS = (['un-csnu', 'ofac-sdn', 'cgu-pep', 'opensanctions'] as const).map((listId) => ({
  listId,
  version: 'v',
  publishedOn: null,
}));

/** Returns counts by line of aliases, from a few of them. */
const reached = (lines: Readonly<Record<number, number>>): number[] =>
  Array.from({ length: 31 }, (_, index) => lines[70 + index] ?? 0);

const PEOPLE: EstimatedCounts = {
  subject: 'person',
  withBirthDate: false,
  cleanTested: 1000,
  cleanReached: [
    { names: 4, lines: [{ list: 0, category: 'sanction', line: 75 }] },
    {
      names: 2,
      lines: [
        { list: 0, category: 'sanction', line: 80 },
        { list: 1, category: 'sanction', line: 90 },
        { list: 3, category: 'pep', line: 99 },
      ],
    },
  ],
  aliases: [
    {
      list: 0,
      category: 'sanction',
      weight: 1,
      tested: 10,
      reached: reached({ 80: 4, 95: 1 }),
    },
    {
      list: 1,
      category: 'sanction',
      weight: 3,
      tested: 10,
      reached: reached({ 100: 10 }),
    },
  ],
};

const figures = (...wanted: readonly string[]) => figuresOf({ lists: LISTS, counts: [PEOPLE] }, new Set(wanted));
const at = (line: number, kind: string, ...wanted: readonly string[]) =>
  figures(...wanted)
    .find((one) => one.kind === kind)!
    .lines.find((one) => one.line === line);

describe('The figures of a line', () => {
  it('count a clean name once, by its best score on the lists that the tenant searches', () => {
    expect(at(0.75, 'sanctions', 'un-csnu')?.cleanPerMille).toBe(6);
    expect(at(0.8, 'sanctions', 'un-csnu')?.cleanPerMille).toBe(2);
    expect(at(0.81, 'sanctions', 'un-csnu')?.cleanPerMille).toBe(0);
    expect(at(0.81, 'sanctions', 'un-csnu', 'ofac-sdn')?.cleanPerMille).toBe(2);
  });

  it('weigh aliases by the number for which each stands', () => {
    expect(at(0.8, 'sanctions', 'un-csnu')?.aliasPercent).toBe(50);
    expect(at(0.9, 'sanctions', 'un-csnu', 'ofac-sdn')?.aliasPercent).toBe(77.5);
  });

  it('are by the category of the entry, and absent for kinds of which no list is searched', () => {
    expect(figures('un-csnu').map(({ kind }) => kind)).toEqual(['sanctions']);
    expect(figures('un-csnu', 'cgu-pep').map(({ kind }) => kind)).toEqual(['sanctions', 'pep']);
    expect(at(0.99, 'pep', 'opensanctions')?.cleanPerMille).toBe(2);
    expect(at(0.99, 'pep', 'cgu-pep')).toEqual({ line: 0.99, cleanPerMille: 0, aliasPercent: null });
  });

  it('never grow with the line', () => {
    const all = figures('un-csnu', 'ofac-sdn', 'opensanctions');
    for (const { lines } of each(all))
      for (const [index, { cleanPerMille, aliasPercent }] of each(lines.entries())) {
        const before = lines[index - 1] ?? { cleanPerMille: 1000, aliasPercent: 100 };
        expect(cleanPerMille).toBeLessThanOrEqual(before.cleanPerMille);
        expect(aliasPercent ?? 0).toBeLessThanOrEqual(before.aliasPercent ?? 0);
      }
  });
});
