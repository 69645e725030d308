/** Tests of numbers and dates that support a hit: branches of a company, other numbers, and birth dates of a month. */
import { describe, expect, it } from 'vitest';
import { entityOf, rules, searchIn, subjectOf } from '../../../test/support/searched-names.ts';
import { judgedHash, matchHash } from '../hashes.ts';
import type { ListedEntity, ListedIdentifier } from '../listed-entity.ts';
import { featuresOf } from './features.ts';
import { isNamesake } from './judgement.ts';
import { asListed, type Subject } from './subject.ts';

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

describe('A number of a subject', () => {
  const listed = (identifiers: ListedIdentifier[], more: Partial<ListedEntity> = {}): ListedEntity => ({
    ...entityOf({ type: 'organisation', names: [{ name: 'Mar Azul' }, { name: 'Estrela Dourada' }], identifiers }),
    ...more,
  });
  const found = (entity: ListedEntity, identifiers: Subject['identifiers'], name = 'Padaria Aurora') =>
    searchIn('organisation', entity)
      .search(subjectOf({ type: 'organisation', names: [name], identifiers }), { threshold: 0.9, rules })
      .map(({ judgement, score }) => [judgement.identifier?.kind, judgement.listedName.name, score]);

  it.each([
    ['imo', '9074729', { kind: 'imo', country: null, value: 'IMO9074729' }],
    ['bic', 'DEUTDEFF', { kind: 'registration_number', country: 'DE', value: 'DEUTDEFF' }],
    ['bic', 'DEUTDEFF', { kind: 'bic', country: null, value: 'DEUTDEFFXXX' }],
    ['tax_number', '0430033662', { kind: 'tax_number', country: 'BE', value: 'BE0430033662' }],
    ['registration_number', '1177053', { kind: 'other', country: 'BE', value: '001177053' }],
    [
      'wallet',
      '0X098B716B8AAF21512996DC57EB',
      { kind: 'wallet', country: null, value: '0X098B716B8AAF21512996DC57EB' },
    ],
  ] as const)('of the kind %s, %s, finds an entity of another name with %j', (kind, value, number) => {
    expect(found(listed([number]), [{ kind, value, country: 'BE' }])).toMatchObject([[kind, expect.any(String), 0.97]]);
    expect(found(listed([], { furtherIdentifiers: [number] }), [{ kind, value, country: 'BE' }])).toHaveLength(1);
  });

  it('does not find one of another country or kind, or of which only the end is equal', () => {
    const number = { kind: 'passport', country: 'BR', value: 'YA123456' } as const;
    expect(found(listed([number]), [{ ...number, country: 'PT' }])).toEqual([]);
    expect(found(listed([number]), [{ ...number, kind: 'bic' }])).toEqual([]);
    expect(found(listed([number]), [{ ...number, value: 'YB123456' }])).toEqual([]);
  });

  it('whose country one side does not name counts if some name of the entity is alike', () => {
    const number = { kind: 'passport', country: null, value: 'YA123456' } as const;
    expect(found(listed([number]), [{ ...number, country: 'PT' }])).toEqual([]);
    expect(found(listed([number]), [{ ...number, country: 'PT' }], 'Estrela')).toEqual([
      ['passport', 'Estrela Dourada', 0.97],
    ]);
  });

  it('of a ship that the list has under another kind counts if some name of the entity is alike', () => {
    for (const [kind, value] of [
      ['imo', '9074729'],
      ['mmsi', '572469210'],
    ] as const)
      for (const number of [
        { kind: 'registration_number', country: 'PA', value },
        { kind: 'other', country: null, value },
      ] as const) {
        expect(found(listed([number]), [{ kind, value, country: null }])).toEqual([]);
        expect(found(listed([number]), [{ kind, value, country: null }], 'Estrela')).toEqual([
          [kind, 'Estrela Dourada', 0.97],
        ]);
      }
  });

  it('that a ship or a legal entity keeps for life contradicts another one, and clears a namesake only of a ship', () => {
    const other = (kind: 'imo' | 'lei', [own, theirs]: readonly [string, string]) =>
      searchIn('organisation', listed([{ kind, country: null, value: theirs }])).search(
        subjectOf({ type: 'organisation', names: ['Mar Azul'], identifiers: [{ kind, country: null, value: own }] }),
        { threshold: 0.5, rules },
      )[0]!.judgement;
    const ship = other('imo', ['9321483', 'IMO9074729']);
    expect(ship.modifiers).toEqual([
      {
        field: 'imo',
        verdict: 'differs',
        subject: '9321483',
        listed: ['9074729'],
        delta: -0.3,
      },
    ]);
    expect(featuresOf(ship).map(({ reason }) => reason)).toContain('imo_differs');
    const entity = other('lei', ['529900T8BM49AURSDO55', '7LTWFZYICNSX8D621K86']);
    expect(entity.modifiers).toMatchObject([{ field: 'lei', verdict: 'differs', delta: -0.15 }]);
    expect([ship, entity].map(isNamesake)).toEqual([false, true]);
    // Lists call tax numbers of the Netherlands numbers of legal entities.
    expect(other('lei', ['529900T8BM49AURSDO55', '851683897']).modifiers).toEqual([]);
  });

  it('that the text about a company names, maybe that of another ship, contradicts nothing; of a ship it does', () => {
    const furtherIdentifiers = [{ kind: 'imo', country: null, value: '9074729' }] as const;
    const subject = subjectOf({
      type: 'organisation',
      names: ['Mar Azul'],
      identifiers: [{ kind: 'imo', country: null, value: '9321483' }],
    });
    const [company, ship] = (['organisation', 'vessel'] as const).map((type) =>
      searchIn('organisation', listed([], { type, furtherIdentifiers })).search(subject, { threshold: 0.5, rules }),
    );
    expect(company).toMatchObject([{ score: 1, judgement: { modifiers: [] } }]);
    expect(ship).toMatchObject([{ score: 0.7, judgement: { modifiers: [{ field: 'imo', verdict: 'differs' }] } }]);
  });
});

describe('The hash of what a hit was judged by', () => {
  const number = { kind: 'bic', country: null, value: 'DEUTDEFF' } as const;
  const entity = entityOf({ type: 'organisation', names: [{ name: 'Mar Azul' }] });

  it('is that of decisions of before, unless a number that was left out before is equal', () => {
    const later = { ...entity, furtherIdentifiers: [number] };
    expect(judgedHash(later, false)).toBe(matchHash(entity));
    expect(judgedHash(later, true)).not.toBe(matchHash(entity));
  });
});
