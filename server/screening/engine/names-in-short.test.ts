/** Tests that a person is found by fewer names than a list has, or by more, if these say enough. */
import { describe, expect, it } from 'vitest';
import { entityOf, rules, searchIn, subjectOf, THRESHOLD } from '../../../test/support/searched-names.ts';

const scoreOf = (name: string, listed: string): number =>
  searchIn('person', entityOf({ type: 'person', names: [{ name: listed }] })).search(
    subjectOf({ type: 'person', names: [name] }),
    { threshold: 0.3, rules },
  )[0]?.score ?? 0;

describe('A search', () => {
  it.each([
    ['Heitor Karzoun', 'Heitor Falcoeira Montalvão Karzoun'],
    ['Heitor Montalvão', 'Heitor Falcoeira Montalvão Karzoun'],
    ['Karzoun Heitor', 'Heitor Falcoeira Montalvão Karzoun'],
    ['Heitor Falcoeira Karzoun', 'Heitor Karzoun'],
  ])('finds %s, of whom a list knows %s', (name, listed) => {
    expect(scoreOf(name, listed)).toBeGreaterThanOrEqual(THRESHOLD);
  });

  it.each([
    ['two middle names', 'Falcoeira Montalvão', 'Heitor Falcoeira Montalvão Karzoun Petrenkov'],
    ['two common names', 'Jose Silva', 'Jose Falcoeira Montalvão Silva'],
    ['a mistyped name', 'Heitor Karloun', 'Heitor Falcoeira Montalvão Karzoun'],
    ['another surname', 'Heitor Petrenkov', 'Heitor Falcoeira Montalvão Karzoun'],
  ])('does not find a person by %s: %s', (_, name, listed) => {
    expect(scoreOf(name, listed)).toBeLessThan(THRESHOLD);
  });
});
