/** Tests of exact names on lists of sanctions, outside of an index and in reverse. */
import { describe, expect, it } from 'vitest';
import {
  alertsAt,
  entityOf,
  type Listed,
  type Query,
  rules,
  scoreOf,
  searchIn,
  subjectOf,
  THRESHOLD,
} from '../../../test/support/searched-names.ts';
import type { ListCategory } from '../listed-entity.ts';
import type { Found } from './search.ts';
import { asListed } from './subject.ts';

describe('A namesake on a list of sanctions', () => {
  const unnumbered: Listed = {
    type: 'person',
    names: [{ name: 'Heitor Montalvão Reis' }, { name: 'O Navegador Reis', quality: 'weak' }, { name: 'Karzoun' }],
    dobs: ['1961-04-02'],
    countries: ['PT'],
  };
  const listed: Listed = { ...unnumbered, taxId: '52998224725' };
  const query: Query = { type: 'person', names: ['heitor MONTALVAO reis'] };
  const other: Query = { ...query, dateOfBirth: '1990-12-25', nationalities: ['BR'] };

  it.each<[string, Query]>([
    ['another date of birth', { ...query, dateOfBirth: '1990-12-25' }],
    ['another year of birth', { ...query, yearOfBirth: 1916 }],
    ['another date and country', other],
    ['its words in another order', { ...other, names: ['Reis, Heitor Montalvão'] }],
    ['another script', { ...other, names: ['Хейтор Монталвао Рейс', 'Heitor Montalvão Reis'] }],
    ['a word written twice', { ...other, names: ['Heitor Reis Montalvão Reis'] }],
  ])('is a hit at every threshold despite %s', (_, asked) => {
    for (const threshold of [0.5, THRESHOLD, 1]) expect(alertsAt(threshold, asked, listed)).toBe(true);
  });

  it.each<[string, Query, Listed, ListCategory?]>([
    ['with another tax number', { ...other, taxId: '11144477735' }, listed],
    [
      'whose masked number has other digits',
      { ...other, taxId: '11144477735' },
      { ...unnumbered, taxIdMasked: '***982247**' },
    ],
    ['by a weak name', { ...other, names: ['O Navegador Reis'] }, listed],
    ['by one word', { ...other, names: ['Karzoun'] }, listed],
    ['by a name that is only like it', { ...other, names: ['Heitor Montalvão Reyes'] }, listed],
    ['of a politically exposed person', other, listed, 'pep'],
    ['of a watch list', other, listed, 'watchlist'],
    ['of somebody disqualified', other, listed, 'disqualified'],
  ])('is no namesake %s', (_, asked, on, category) => {
    expect(alertsAt(THRESHOLD, asked, on, category)).toBe(false);
  });

  it('is found outside of an index, and by the search for the subjects of an entity, as in an index', () => {
    const entity = entityOf(listed);
    const counting = {
      categories: ['sanction' as const],
      alert: {
        sanction: THRESHOLD,
        pep: 1,
        rca: 1,
        adverse: 1,
        watchlist: 1,
        disqualified: 1,
      },
      inOfficeOn: null,
    };
    const search = (beside: boolean): Found[] =>
      searchIn('person', ...(beside ? [] : [entity])).search(subjectOf(other), {
        threshold: THRESHOLD,
        rules,
        counting,
        ...(beside && { beside: [{ list: 0, entity }] }),
      });
    expect(search(true)).toEqual(search(false).map((found) => ({ ...found, judgement: expect.anything() })));
    expect(search(false)).toHaveLength(1);
    expect([
      ...searchIn('person', asListed('subject', subjectOf(other))).subjectsLike(
        entity,
        'person',
        THRESHOLD,
        searchIn('person', entity),
      ),
    ]).toEqual(['subject']);
  });
});

describe('A date of birth', () => {
  const scoreWith = (subject: string, listed: string): number =>
    scoreOf(
      { type: 'person', names: ['Heitor Montalvão'], dateOfBirth: subject },
      { type: 'person', names: [{ name: 'Heitor Montalvão' }], dobs: [listed] },
    );

  it.each([
    ['day and month transposed', '1961-02-04', '1961-04-02'],
    ['two digits of the year swapped', '1916-04-02', '1961-04-02'],
    ['two digits of the day swapped', '1961-04-21', '1961-04-12'],
    ['one digit mistyped', '1961-04-02', '1967-04-02'],
    ['the day before', '1961-03-31', '1961-04-01'],
    ['the last day of the year before', '1961-12-31', '1962-01-01'],
    ['the month after', '1961-09-02', '1961-10-02'],
    ['the year after', '1999-04-02', '2000-04-02'],
  ])('with %s weakens a name by 0.05', (_, subject, listed) => {
    expect([scoreWith(subject, listed), scoreWith(listed, subject)]).toEqual([0.95, 0.95]);
  });

  it.each([
    ['another day', '1961-08-27', '1961-04-02', 0.9],
    ['another date', '1975-08-27', '1961-04-02', 0.7],
    ['another year, where the list has no day', '1975-08-27', '1961', 0.85],
  ])('that is %s weakens a name by more', (_, subject, listed, score) => {
    expect(scoreWith(subject, listed)).toBeCloseTo(score, 9);
  });
});
