/** Tests of numbers and dates that support a hit: branches of a company, and birth dates of a month. */
import { describe, expect, it } from 'vitest';
import { entityOf, rules, searchIn, subjectOf } from '../../../test/support/searched-names.ts';
import { featuresOf } from './features.ts';
import { asListed } from './subject.ts';

describe('A search', () => {
  it('finds a company by the number of its branch, in both directions, and says so', () => {
    const listed = entityOf({ type: 'organisation', names: [{ name: 'Padaria Aurora' }], taxId: '11222333000181' });
    const branch = subjectOf({ type: 'organisation', names: ['Ferramentas Zetta'], taxId: '11222333000262' });
    const [found] = searchIn('organisation', listed).search(branch, { threshold: 0.95, rules });
    expect(found?.judgement).toMatchObject({
      identifier: {
        kind: 'cnpj',
        country: 'BR',
        nameConflicts: true,
        isBranch: true,
      },
      modifiers: [],
    });
    expect(featuresOf(found!.judgement).map(({ reason }) => reason)).toContain('cnpj_root');
    const subjects = searchIn('organisation', asListed('branch', branch));
    expect([...subjects.subjectsLike(listed, 'organisation', 0.95, searchIn('organisation', listed))]).toEqual([
      'branch',
    ]);
    const other = subjectOf({ type: 'organisation', names: ['Ferramentas Zetta'], taxId: '11222334000181' });
    expect(searchIn('organisation', listed).search(other, { threshold: 0.5, rules })).toEqual([]);
  });

  it.each([
    ['1967-02-17', 'month_equal'],
    ['1967-03-17', 'one_off'],
    ['1967-08-02', 'day_and_month_swapped'],
    ['1967-08-17', 'same_year_other_day'],
    ['1967', 'year_equal'],
    ['1968-02-17', 'near_year'],
    ['1975-02-17', 'year_differs'],
  ])('compares the birth date %s with a month on a list: %s', (dateOfBirth, verdict) => {
    const listed = entityOf({ type: 'person', names: [{ name: 'Heitor Montalvão' }], dobs: ['1967-02'] });
    const [found] = searchIn('person', listed).search(
      subjectOf({ type: 'person', names: ['Heitor Montalvão'], dateOfBirth }),
      { threshold: 0.5, rules },
    );
    expect(found?.judgement.modifiers).toMatchObject([{ field: 'date_of_birth', verdict }]);
  });
});
