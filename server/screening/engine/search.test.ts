import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { each } from '../../../test/support/each.ts';
import {
  alertsAt,
  entityOf,
  type Listed,
  people,
  personName,
  type Query,
  rules,
  scoreOf,
  searchIn,
  subjectOf,
  THRESHOLD,
} from '../../../test/support/searched-names.ts';
import { isScreenable } from '../names/fold.ts';
import { featuresOf } from './features.ts';
import { finalScore } from './judgement.ts';
import type { Found } from './search.ts';
import { asListed, type Subject } from './subject.ts';

const SENTENCES = join(import.meta.dirname, '../../../../shared/vectors/screening-sentences/cases.json');

type Sentence = { id: string; why: string } & (
  | {
      type: 'alert';
      query: Query;
      listed: Listed;
      expect: 'must_alert' | 'must_not_alert';
    }
  | {
      type: 'order';
      a: { query: Query; listed: Listed };
      b: { query: Query; listed: Listed };
      expect: 'a_above_b' | 'a_equals_b' | 'a_not_below_b';
    }
  | {
      type: 'bound';
      query: Query;
      listed: Listed;
      expect: { atMost?: string; atLeast?: string };
    }
);

function holds(sentence: Sentence): boolean {
  if (sentence.type === 'alert')
    return (
      alertsAt(THRESHOLD, sentence.query, sentence.listed, sentence.listed.list === 'pep-br' ? 'pep' : 'sanction') ===
      (sentence.expect === 'must_alert')
    );
  if (sentence.type === 'bound') {
    const score = scoreOf(sentence.query, sentence.listed);
    return score <= Number(sentence.expect.atMost ?? 1) && score >= Number(sentence.expect.atLeast ?? 0);
  }
  const [a, b] = [sentence.a, sentence.b].map(({ query, listed }) => scoreOf(query, listed)) as [number, number];
  return { a_above_b: a > b, a_equals_b: a === b, a_not_below_b: a >= b }[sentence.expect];
}

const sentences = existsSync(SENTENCES)
  ? (JSON.parse(readFileSync(SENTENCES, 'utf8')) as { cases: Sentence[] }).cases
  : [];

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

describe('A screening', () => {
  it('gives the agreed result for each of the agreed sentences', () => {
    expect(sentences.filter((sentence) => !holds(sentence)).map(({ id, why }) => `${id}: ${why}`)).toEqual([]);
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

/** Covers the agreed sentences if their file is missing. */
describe('A name', () => {
  const alerts = (query: string, listed: string, type: Subject['type'] = 'person', list = 'sanction'): boolean =>
    scoreOf({ type, names: [query] }, { type, list, names: [{ name: listed }] }) >= THRESHOLD;

  it.each([
    ['José Antônio Bragança', 'BRAGANCA, Jose Antonio'],
    ['Ivan Petrenkov', 'Иван Петренков'],
    ['Mohamed Karzoun', 'Muhammad Karzoun'],
    ['Yusuf al-Dariq', 'Yousef Aldariq'],
    ['Abd al-Rahman Qasim', 'Abderrahmane Kassem'],
    ['Zé Augusto Montalvão', 'José Augusto Montalvão'],
    ['VladimirPetrenkov', 'Vladimir Petrenkov'],
    ['Pеtrenkov Vladimir', 'Vladimir Petrenkov'],
    ['J0SE Montalvão', 'Jose Montalvao'],
    ['Sa’id Karzoun', 'Saeed Karzoun'],
    ['Kim Jong Chol Sun', '김종철 Sun'],
    ['Roberto\u202e Falcoeira\u0000', 'Roberto Falcoiera'],
  ])('%s is found under %s', (query, listed) => {
    expect(alerts(query, listed)).toBe(true);
  });

  it.each([
    ['Ferramentas Aurora S.A.', 'FERRAMENTAS AURORA JOINT STOCK COMPANY'],
    ['Padaria Encantada Ltda', 'PADARIA ENCANTADA'],
    ['A.B.C. Navegação L.L.C.', 'ABC NAVEGACAO LLC'],
  ])('of a company, %s, is found under %s', (query, listed) => {
    expect(alerts(query, listed, 'organisation')).toBe(true);
  });

  it.each([
    ['Lia Montalvão', 'Lea Montalvão'],
    ['Pedro Falcão Brito', 'Ana Falcão Reis'],
    ['J. A. M.', 'José Antônio Montalvão'],
    ['Maria da Silva', 'Maria Souza'],
  ])('%s is not %s', (query, listed) => {
    expect(alerts(query, listed)).toBe(false);
  });

  it.each([
    ['Andorinha Fund 5', 'Andorinha Fund 8'],
    ['Global Trading Services Ltda', 'International Trading Group Ltda'],
    ['11420 Corp', 'Zetta Corp'],
  ])('of a company, %s, is not %s', (query, listed) => {
    expect(alerts(query, listed, 'organisation')).toBe(false);
  });

  it.each([
    '🙂🙃',
    '1234 5678',
    '٣٤٥',
    'Ⅳ ①',
    '--',
    '\u0000\u202e',
    '   ',
    '…',
    'ーー',
    'ʻʼ',
    'ـــ',
    '\u3164\u115f',
    '\u0301\u0301',
    '₢₢',
  ])('that has no letters is not screenable: %j', (name) => {
    expect(isScreenable(name)).toBe(false);
  });

  it.each(['Æ', 'Ñu', 'محمد', 'ع', 'א', '李', '㧝', '김', 'Ъ', '𞤀𞤣', '𐘀𐘁', '𒀀', 'ꦧꦩ', 'ᱥᱟ', 'សុខ'])(
    'in any script is screenable, and found by itself: %s',
    (name) => {
      expect(isScreenable(name)).toBe(true);
      expect(scoreOf({ type: 'person', names: [name] }, { type: 'person', names: [{ name }] })).toBe(1);
    },
  );

  it('in letters without a transliteration is distinguished from another one, and found by similar names', () => {
    const listed = [{ name: '𐘀𐘁𐘂 𐘃𐘄𐘅' }];
    const score = (name: string): number =>
      scoreOf({ type: 'person', names: [name] }, { type: 'person', names: listed });
    expect([score('𐘃𐘄𐘅 𐘀𐘁𐘂'), score('𐘀𐘁𐘂') > 0, score('𐘆𐘇 𐘈𐘉'), score('Ana Reis')]).toEqual([1, true, 0, 0]);
    expect(scoreOf({ type: 'person', names: ['王㧝'] }, { type: 'person', names: [{ name: '王㪲' }] })).toBeLessThan(
      THRESHOLD,
    );
  });

  it('of 300 signs, of one letter and of one word a hundred times is searched like any other', () => {
    const search = searchIn('person', entityOf({ type: 'person', names: [{ name: 'Heitor Montalvão Reis' }] }));
    for (const name of ['Montalvao '.repeat(30), 'x'.repeat(300), 'H', 'Heitor '.repeat(100)]) {
      expect(
        search
          .search(subjectOf({ type: 'person', names: [name] }), { threshold: 0.5, rules })
          .every(({ score }) => score <= 1),
      ).toBe(true);
    }
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
    const alike = [
      'Kassem',
      'Hassan',
      'Ghassan',
      'Belal',
      'Bilal',
      'Chong',
      'Song',
      'Hong',
      'A',
      'Abeni',
      'Wole',
      'Khodakovskiy',
      'Gusakovsky',
      'Bohatyrova',
      'Bogatirov',
      'Omar',
      'Oumsen',
      'Hussain',
      'Horbanian',
      'Ghorbaniyan',
    ];
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

  it('finds, in reverse, each subject for whom an entity is a hit, even with misspelt, shortened, joined or omitted words', () => {
    const givenNames = [
      'Heitor',
      'Jose',
      'Zé',
      'J',
      'Mohammed',
      'Muhammad',
      'Ivan',
      'Иван',
      'Lukasz',
      'Łukasz',
      'Catarina',
      'Katharina',
    ];
    const family = [
      'Montalvao',
      'Montalvão',
      'Montalvan',
      'Silva',
      'Karzoun',
      'Karzun',
      'Petrenkov',
      'Reis',
      'al-Dariq',
      'Aldariq',
      'Falcoeira',
      'Falcoiera',
      'Abd al-Rahman',
      'Abdulrahman',
    ];
    const nameOf = (all: readonly string[]) =>
      fc
        .tuple(fc.constantFrom(...givenNames), fc.subarray([...all], { minLength: 1, maxLength: 3 }), fc.boolean())
        .map(([first, rest, last]) => (last ? [...rest, first] : [first, ...rest]).join(' '));
    const [name, listedName] = [nameOf(family), nameOf([...family, 'HeitorReis'])];
    const listed = fc
      .tuple(
        fc.array(listedName, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('strong', 'weak'),
        fc.subarray(['1955-05-17', '1956']),
        fc.subarray(['BR', 'PT']),
      )
      .map(([names, quality, dobs, countries]) => ({
        type: 'person' as const,
        names: names.map((text, index) => ({ name: text, quality: index === 0 ? ('strong' as const) : quality })),
        dobs,
        countries,
      }));
    const screened = fc
      .record({
        name,
        dateOfBirth: fc.constantFrom('1955-05-17', '1955-05-17', '1955', '1954', '1990-01-01', undefined),
        nationalities: fc.subarray(['BR', 'RU']),
      })
      .map(({ name: text, ...known }) => subjectOf({ type: 'person', names: [text], ...known }));
    let hits = 0;
    fc.assert(
      fc.property(
        fc.array(listed, { minLength: 5, maxLength: 20 }),
        fc.array(screened, { minLength: 5, maxLength: 30 }),
        fc.constantFrom(0.7, THRESHOLD, 0.9, 0.95),
        (lists, subjects, threshold) => {
          const entities = lists.map((one, index) => entityOf(one, `e${index}`));
          const forward = searchIn('person', ...entities);
          const reverse = searchIn('person', ...subjects.map((subject, index) => asListed(`s${index}`, subject)));
          const affected = new Map(
            entities.map((entity) => [entity.key, reverse.subjectsLike(entity, 'person', threshold, forward)]),
          );
          subjects.forEach((subject, index) => {
            for (const { entity } of forward.search(subject, { threshold, rules })) {
              hits++;
              expect(
                affected.get(entity.key),
                `${subject.names[0]} and ${entity.names.map((one) => one.name).join(', ')}`,
              ).toContain(`s${index}`);
            }
          });
        },
      ),
      { numRuns: 400 },
    );
    expect(hits).toBeGreaterThan(1000);
  });

  it('finds, in reverse, each subject with the number of an entity', () => {
    const subjects = searchIn(
      'person',
      asListed('subject', subjectOf({ type: 'person', names: ['Clarice Montalvão'], taxId: '52998224725' })),
    );
    expect([
      ...subjects.subjectsLike(
        entityOf({ type: 'person', names: [{ name: 'Outro Nome' }], taxId: '52998224725' }),
        'person',
        0.9,
        search,
      ),
    ]).toEqual(['subject']);
  });
});
