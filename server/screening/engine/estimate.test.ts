/** Tests of the estimate of what lines find. */
import { describe, expect, it, vi } from 'vitest';
import { each } from '../../../test/support/each.ts';
import { entityOf, type Listed } from '../../../test/support/searched-names.ts';
import { inventedPeople } from '../names/invented.ts';
import {
  estimate,
  type EstimatedCounts,
  type EstimateLimits,
  HIGHEST_LINE,
  LOWEST_LINE,
  type TestedAliases,
} from './estimate.ts';
import { NameIndexBuilder } from './name-index.ts';

const LIMITS: EstimateLimits = {
  people: 200,
  companies: 50,
  aliases: 100,
  milliseconds: 60_000,
};

/** Estimates the lines on some lists of sanctions. */
function estimated(lists: readonly (readonly Listed[])[], limits: Partial<EstimateLimits> = {}): EstimatedCounts[] {
  const built = (of: 'person' | 'organisation'): SharedArrayBuffer => {
    const builder = new NameIndexBuilder(of);
    for (const [list, entries] of lists.entries())
      for (const [index, entry] of entries.entries()) builder.add(entityOf(entry, String(index)), list);
    return builder.build();
  };
  return estimate({
    indexes: { person: built('person'), organisation: built('organisation') },
    lists: lists.map(() => ({ category: 'sanction', rules: { needsConfirmation: false, dobToleranceYears: 0 } })),
    limits: { ...LIMITS, ...limits },
  });
}

const person = (...names: readonly string[]): Listed => ({ type: 'person', names: names.map((name) => ({ name })) });
const part = (all: readonly EstimatedCounts[], subject: 'person' | 'organisation', withBirthDate = false) =>
  all.find((one) => one.subject === subject && one.withBirthDate === withBirthDate)!;
/** Returns how many aliases reach a line. */
const reaching = ({ reached }: TestedAliases, line: number): number =>
  reached.slice(line - LOWEST_LINE).reduce((sum, count) => sum + count, 0);

const UNLIKE = 'Ziriguidum Bantorra';

describe('The estimate of aliases', () => {
  it('finds an alias by the other names of its entry, and misses one that shares no word with them', () => {
    const { aliases } = part(estimated([[person('Heitor Montalvao', 'Heitor Montalvan', UNLIKE)]]), 'person');
    expect(aliases).toHaveLength(1);
    expect(aliases[0]).toMatchObject({
      list: 0,
      category: 'sanction',
      weight: 1,
      tested: 2,
    });
    expect(reaching(aliases[0]!, 82)).toBe(1);
    expect(reaching(aliases[0]!, LOWEST_LINE)).toBe(1);
  });

  it('does not find an alias by another entry', () => {
    const { aliases } = part(estimated([[person('Heitor Montalvao', UNLIKE), person(`${UNLIKE} Karzoun`)]]), 'person');
    expect(aliases[0]).toMatchObject({ tested: 1 });
    expect(reaching(aliases[0]!, LOWEST_LINE)).toBe(0);
  });

  it('finds more aliases of people with the date of birth of their entry', () => {
    const listed: Listed = { ...person('Heitor Karzoun Montalvao', 'Heitor Karzoun'), dobs: ['1961-04-02'] };
    const all = estimated([[listed]]);
    const [without, withDate] = [part(all, 'person').aliases[0]!, part(all, 'person', true).aliases[0]!];
    expect(reaching(withDate, HIGHEST_LINE)).toBe(1);
    expect(reaching(without, HIGHEST_LINE)).toBe(0);
  });

  it('leaves out weak names, single words of people, and names that another name of the entry repeats', () => {
    const listed: Listed = {
      type: 'person',
      names: [
        { name: 'Heitor Montalvao' },
        { name: 'O Contador', quality: 'weak' },
        { name: 'Montalvao' },
        { name: 'MONTALVÃO, Heitor' },
      ],
    };
    expect(part(estimated([[listed]]), 'person').aliases).toEqual([]);
  });

  it('tries some aliases of each list if there are many, and each stands for the others', () => {
    const many = Array.from({ length: 40 }, (_, index) => person(`Heitor ${'abcdefghij'[index % 10]}orvane`, UNLIKE));
    const { aliases } = part(estimated([many, [person('Jose Reis', 'Joseph Reis')]], { aliases: 10 }), 'person');
    expect(aliases.map(({ list, weight, tested }) => [list, weight, tested])).toEqual([
      [0, 4, 10],
      [1, 1, 1],
    ]);
  });
});

describe('An estimate whose processor time is used up', () => {
  it('has tried some aliases of every list, spread over the whole list', () => {
    let visited = 0;
    vi.spyOn(process, 'threadCpuUsage').mockImplementation((since) => {
      visited = since === undefined ? 0 : visited + 1;
      return { user: visited * 1000, system: 0 };
    });
    const many = (word: string) =>
      Array.from({ length: 40 }, (_, index) => person(`Heitor ${'abcdefghij'[index % 10]}orvane`, `Anton ${word}`));
    const { aliases } = part(estimated([many('Reis'), many('Karzoun')], { milliseconds: 20 }), 'person');
    vi.restoreAllMocks();
    expect(aliases.map(({ list, tested }) => [list, tested])).toEqual([
      [0, 10],
      [1, 10],
    ]);
  });
});

describe('The estimate of clean names', () => {
  it('counts a name that equals a listed one at every line, whatever the dates of birth are', () => {
    const [{ name } = { name: '' }] = inventedPeople(20_261_128, 1);
    const all = estimated([[], [{ ...person(name), dobs: ['1931-01-02'] }]], { people: 1 });
    const parts = all.filter(({ subject }) => subject === 'person');
    expect(parts).toHaveLength(2);
    for (const { cleanTested, cleanReached } of each(parts)) {
      expect(cleanTested).toBe(1);
      expect(cleanReached).toEqual([{ names: 1, lines: [{ list: 1, category: 'sanction', line: HIGHEST_LINE }] }]);
    }
  });

  it('counts a name on a list although two hundred entries of another list are more like it', () => {
    const [{ name } = { name: '' }] = inventedPeople(20_261_128, 1);
    const alike = person(`${name}s`);
    const alone = part(estimated([[], [alike]], { people: 1 }), 'person');
    const many = Array.from({ length: 200 }, () => person(name));
    const beside = part(estimated([many, [alike]], { people: 1 }), 'person');
    const onSecond = ({ cleanReached }: EstimatedCounts) =>
      cleanReached.flatMap(({ lines }) => lines.map(({ list }) => list)).filter((list) => list === 1);
    expect(onSecond(alone)).toEqual([1]);
    expect(onSecond(beside)).toEqual([1]);
  });

  it('counts no name that is like no listed one, and is the same each time', () => {
    const listed = [[person('Quirzel Vophthax', 'Quirzel Vofthaks')]];
    const all = estimated(listed);
    expect(part(all, 'person')).toMatchObject({ cleanTested: 200, cleanReached: [] });
    expect(part(all, 'organisation')).toMatchObject({ cleanTested: 50, cleanReached: [], aliases: [] });
    expect(estimated(listed)).toEqual(all);
  });

  it('ends with fewer names when its processor time is used up, and says how many', () => {
    const all = estimated([[person('Heitor Montalvao')]], { people: 5_000, milliseconds: 20 });
    expect(part(all, 'person').cleanTested).toBeLessThan(5_000);
  });
});
