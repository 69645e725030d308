/** Tests of the search, also outside of an index and for hits of an earlier algorithm. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { each } from '../../../test/support/each.ts';
import {
  entityOf,
  people,
  personName,
  type Query,
  rules,
  searchIn,
  subjectOf,
  THRESHOLD,
} from '../../../test/support/searched-names.ts';
import { isScreenable } from '../names/fold.ts';
import { featuresOf } from './features.ts';
import { finalScore } from './judgement.ts';
import type { Found } from './search.ts';
import type { Subject } from './subject.ts';

describe('A stored hit of an earlier algorithm', () => {
  it('keeps its score, and its reasons add up to it', () => {
    const word = (text: string) =>
      ({
        subject: text,
        listed: text,
        method: 'exact',
        similarity: 1,
        weight: 1,
      }) as const;
    const stored = {
      of: 'organisation',
      subjectName: 'Aurora Boreal Celeste',
      listedName: { name: 'Aurora Boreal', kind: 'primary', quality: 'strong' },
      isLiteral: false,
      identifier: null,
      modifiers: [],
      limits: [],
      alignment: {
        aligned: [word('aurora'), word('boreal')],
        unmatched: { subject: [{ token: 'celeste', weight: 1 }], listed: [] },
        caps: [],
      },
    } as const;
    expect(finalScore(stored)).toBeCloseTo(2 / 2.2, 12);
    expect(featuresOf(stored).reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(2 / 2.2, 12);
  });
});

describe('An entity that is searched outside of an index', () => {
  const listed = [
    entityOf(
      {
        type: 'person',
        names: [{ name: 'Sergei Listado Petrov' }, { name: 'O Contador', quality: 'weak' }],
        dobs: ['1961-04-02'],
      },
      'a',
    ),
    entityOf({ type: 'person', names: [{ name: 'Maria Petrova' }] }, 'b'),
  ];

  it('is judged like the same entity in the index, for any subject', () => {
    const word = fc.constantFrom('Sergei', 'Sergej', 'Listado', 'Petrov', 'Petrova', 'Maria', 'O', 'Contador', 'Silva');
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(undefined, '1961-04-02', '1962-01-01'),
        (words, dateOfBirth) => {
          const found = searchIn('person', ...listed).search(
            subjectOf({ type: 'person', names: [words.join(' ')], ...(dateOfBirth !== undefined && { dateOfBirth }) }),
            {
              threshold: THRESHOLD,
              rules,
              beside: listed.map((entity) => ({ list: 0, entity: { ...entity, key: `${entity.key} beside` } })),
            },
          );
          const scores = (beside: boolean) =>
            found
              .filter(({ entity }) => entity.key.endsWith('beside') === beside)
              .map(({ entity, score, judgement }) => [entity.key.slice(0, 1), score, judgement]);
          expect(scores(true)).toEqual(scores(false));
        },
      ),
      { numRuns: 300, seed: 20261125 },
    );
  });

  it('is omitted if its list, or its kind of name, is not searched', () => {
    const [entity] = listed;
    const search = (type: Subject['type'], list: number) =>
      searchIn(type).search(subjectOf({ type, names: ['Sergei Listado Petrov'] }), {
        threshold: THRESHOLD,
        rules,
        beside: [{ list, entity: entity! }],
      });
    expect([search('person', 0), search('person', 1), search('organisation', 0)].map(({ length }) => length)).toEqual([
      1, 0, 0,
    ]);
  });
});

describe('A search', () => {
  const search = searchIn('person', ...people);
  const scoresBy = (query: Query, threshold: number): Map<string, number> =>
    new Map(search.search(subjectOf(query), { threshold, rules }).map(({ entity, score }) => [entity.key, score]));

  it('finds each name by itself with the score 1, in any order of its words, any case and without accents', () => {
    fc.assert(
      fc.property(personName, fc.infiniteStream(fc.nat()), (name, order) => {
        fc.pre(isScreenable(name));
        const own = searchIn('person', entityOf({ type: 'person', names: [{ name }] }));
        const shuffled = name
          .split(' ')
          .map((text) => ({ text, place: order.next().value as number }))
          .sort((a, b) => a.place - b.place)
          .map(({ text }) => text)
          .join(' ');
        for (const query of each(
          [
            name,
            shuffled,
            name.toUpperCase(),
            name.toLowerCase(),
            name.normalize('NFD').replace(/\p{Mn}/gu, ''),
          ].filter(isScreenable),
        )) {
          expect(
            own.search(subjectOf({ type: 'person', names: [query] }), { threshold: 1, rules })[0]?.score,
            query,
          ).toBe(1);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('loses no hit if the threshold is lowered, and changes no score', () => {
    fc.assert(
      fc.property(personName, fc.integer({ min: 50, max: 99 }), (name, percent) => {
        const [strict, lax] = [
          scoresBy({ type: 'person', names: [name] }, percent / 100),
          scoresBy({ type: 'person', names: [name] }, 0.5),
        ];
        for (const [key, score] of strict) expect(lax.get(key)).toBe(score);
        expect([...lax.values()].filter((score) => score >= percent / 100)).toHaveLength(strict.size);
      }),
      { numRuns: 200 },
    );
  });

  it('loses no hit if the threshold is lowered, however different the slightly similar words are', () => {
    const alike = (
      'Kassem, Hassan, Ghassan, Belal, Bilal, Chong, Song, Hong, A, Abeni, Wole, Khodakovskiy, Gusakovsky, ' +
      'Bohatyrova, Bogatirov, Omar, Oumsen, Hussain, Horbanian, Ghorbaniyan'
    ).split(', ');
    const names = fc.array(
      fc.uniqueArray(fc.constantFrom(...alike), { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
      { minLength: 5, maxLength: 15 },
    );
    fc.assert(
      fc.property(names, names, fc.constantFrom(0.6, 0.7, THRESHOLD, 0.9), (listed, asked, threshold) => {
        const own = searchIn(
          'person',
          ...listed.map((name, index) => entityOf({ type: 'person', names: [{ name }] }, String(index))),
        );
        for (const name of each(asked)) {
          const [strict, lax] = [threshold, 0.5].map((least) =>
            own.search(subjectOf({ type: 'person', names: [name] }), { threshold: least, rules }),
          ) as [Found[], Found[]];
          expect(
            strict.map(({ entity, score }) => [entity.key, score]),
            name,
          ).toEqual(lax.filter(({ score }) => score >= threshold).map(({ entity, score }) => [entity.key, score]));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('lowers no score for a correct birth date', () => {
    fc.assert(
      fc.property(fc.nat(59), fc.constantFrom('Falcoeira', 'Rahman', 'Reis', ''), (index, extra) => {
        const names = [`${people[index]!.names[0]!.name} ${extra}`];
        const key = String(index);
        expect(
          scoresBy({ type: 'person', names, dateOfBirth: `19${40 + index}-05-17` }, 0.5).get(key) ?? 0,
        ).toBeGreaterThanOrEqual(scoresBy({ type: 'person', names }, 0.5).get(key) ?? 0);
      }),
      { numRuns: 100 },
    );
  });

  it('explains each score so that it can be computed again from the stored data', () => {
    let hits = 0;
    fc.assert(
      fc.property(personName, (name) => {
        for (const { judgement, score } of search.search(
          subjectOf({ type: 'person', names: [name], dateOfBirth: '1955-05-17' }),
          { threshold: 0.5, rules },
        )) {
          hits++;
          const stored = JSON.parse(JSON.stringify(judgement)) as typeof judgement;
          expect(Math.abs(finalScore(stored) - score)).toBeLessThan(1e-9);
          expect(
            Math.abs(featuresOf(stored).reduce((sum, { contribution }) => sum + contribution, 0) - score),
          ).toBeLessThan(1e-9);
        }
      }),
      { numRuns: 200 },
    );
    expect(hits).toBeGreaterThan(100);
  });

  it('finds an entity with the same number under another name, and says that the names differ', () => {
    const own = searchIn(
      'person',
      entityOf({ type: 'person', names: [{ name: 'Outro Nome Qualquer' }], taxId: '52998224725' }),
    );
    const [found] = own.search(subjectOf({ type: 'person', names: ['Clarice Montalvão'], taxId: '52998224725' }), {
      threshold: 0.95,
      rules,
    });
    expect([found?.score, found?.judgement.identifier]).toEqual([
      0.97,
      { kind: 'cpf', country: 'BR', nameConflicts: true },
    ]);
  });

  it.each([
    ['Yasir Karzoun', 0.75],
    ['Touro', 0.6],
    ['Jose Maria', 0.6],
  ])('scores %s, which a list marks as weak, at %f, and higher only with supporting data', (name, score) => {
    const own = searchIn(
      'person',
      entityOf({
        type: 'person',
        names: [{ name: 'Amadeu Ferrugem Pinto' }, { name, quality: 'weak' }],
        dobs: ['1966-01-09'],
      }),
    );
    const scoreWith = (query: Omit<Query, 'type' | 'names'>): number | undefined =>
      own.search(subjectOf({ type: 'person', names: [name], ...query }), { threshold: 0.5, rules })[0]?.score;
    expect([scoreWith({}), scoreWith({ dateOfBirth: '1966-01-09' })]).toEqual([score, 0.85]);
  });

  it('omits lists that were not requested', () => {
    expect(
      search.search(subjectOf({ type: 'person', names: [people[0]!.names[0]!.name] }), { threshold: 0.5, rules: [] }),
    ).toEqual([]);
  });

  it.each([
    ['Jose Silva', 'Jose Silva Silva'],
    ['Muhammad Abdulrahman', 'Muhammad Abd al-Rahman'],
  ])('treats %s and %s as equal, though the words are common', (one, other) => {
    for (const [listed, asked] of [
      [one, other],
      [other, one],
    ] as const) {
      expect(
        searchIn(
          'person',
          entityOf({ type: 'person', names: [{ name: listed }] }),
          ...Array.from({ length: 200 }, (_, index) =>
            entityOf(
              {
                type: 'person',
                names: [{ name: `${one} ${['Reis', 'Prado', 'Lemos'][index % 3]} ${'abcdefgh'[index % 8]}${index}` }],
              },
              `n${index}`,
            ),
          ),
        )
          .search(subjectOf({ type: 'person', names: [asked] }), { threshold: 0.95, rules })
          .map(({ score }) => score),
      ).toEqual([1]);
    }
  });
});
