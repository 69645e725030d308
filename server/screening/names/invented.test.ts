/** Tests of the invented people and companies, by which lines are estimated. */
import { describe, expect, it } from 'vitest';
import { each } from '../../../test/support/each.ts';
import { isScreenable } from './fold.ts';
import { inventedCompanies, inventedPeople } from './invented.ts';

describe('Invented people and companies', () => {
  it('are the same for a seed, and others for another seed', () => {
    expect(inventedPeople(7, 50)).toEqual(inventedPeople(7, 50));
    expect(inventedPeople(7, 50)).not.toEqual(inventedPeople(8, 50));
    expect(inventedCompanies(7, 50)).toEqual(inventedCompanies(7, 50));
    expect(inventedCompanies(7, 50)).not.toEqual(inventedCompanies(8, 50));
  });

  it('keep their first names when more are invented', () => {
    expect(inventedPeople(7, 100).slice(0, 50)).toEqual(inventedPeople(7, 50));
  });

  it('have names that can be compared, of two words or more, and only people have a date of birth', () => {
    for (const { name, birthDate } of each(inventedPeople(7, 500))) {
      expect(isScreenable(name)).toBe(true);
      expect(name).toMatch(/^\p{Lu}\p{Ll}+ (?:.+ )?\p{Lu}\p{Ll}+$/u);
      expect(birthDate).toMatch(/^(?:19[4-9]\d|200[0-6])-\d\d-\d\d$/);
    }
    for (const { name, birthDate } of each(inventedCompanies(7, 500))) {
      expect(isScreenable(name)).toBe(true);
      expect(name).toContain(' ');
      expect(birthDate).toBeNull();
    }
  });

  it('are mostly different, with some names more often than others', () => {
    const names = inventedPeople(7, 2000).map(({ name }) => name);
    expect(new Set(names).size).toBeGreaterThan(1600);
    const beginWith = (word: string): number => names.filter((name) => name.startsWith(`${word} `)).length;
    expect(beginWith('Maria')).toBeGreaterThan(3 * beginWith('Benedito'));
  });
});
