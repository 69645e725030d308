/**
 * Measures how well the screening engine recognises persons, on the development halves of the labelled sets, compared
 * with the minimums of the design. The budget is that of a compliance team: the threshold at which five of a thousand
 * unlisted people would cause an alert. Used by main.ts.
 */
import type { Found, NameSearch } from '../../server/screening/engine/search.ts';
import type { Subject } from '../../server/screening/engine/subject.ts';
import type { ListedEntity } from '../../server/screening/listed-entity.ts';
import { literalKey } from '../../server/screening/engine/name-index.ts';
import type { NameOf } from '../../server/screening/names/token.ts';
import { spokenOrder } from '../../server/screening/sources/ofac-csv.ts';
import { amount, type Figure, type Row, type Section } from './figures.ts';
import type { Laboratory } from './laboratory.ts';
import { hasData, labelled, ofacOf2023, percent, RULES, sample, searchOf, subject, unOf } from './screening-data.ts';
import { type CleanScores, measureKinds } from './screening-kinds.ts';
import { ofacTool, pairs } from './screening-pairs.ts';
import { halfOf } from './screening-rewriting.ts';

/** Threshold of the search for candidates: an entity that this search misses has no score. */
const CANDIDATE = 0.2;
/** Lowest threshold of any design goal. */
const LEAST = 0.55;
const SHIPPED = 0.82;
const BUDGET_PER_MILLE = 5;
const isoDate = (text: string | undefined): string | null =>
  text !== undefined && /^\d{4}(?:-\d\d-\d\d)?$/.test(text) ? text : null;
const search = (index: NameSearch, who: Subject, threshold = LEAST): Found[] =>
  index.search(who, { threshold, rules: RULES });

export async function measureScreeningAccuracy({ extent, say }: Laboratory): Promise<Section[]> {
  if (!hasData()) return [];
  say('screening: lists …');
  const [ofac, un2025, un2020] = [await ofacOf2023(), await unOf('2025-08-16'), await unOf('2020-12-01')];
  const people = extent.validations >= 10_000 ? 4500 : 500;
  const whole = { person: searchOf('person', ofac, un2025), organisation: searchOf('organisation', ofac, un2025) };
  say(`screening: ${people * 3} names that are on no list …`);
  const scored = cleanScores(whole, people);
  const clean = Object.fromEntries(
    Object.entries(scored).map(([kind, all]) => [kind, all.map(({ score }) => score)]),
  ) as Record<keyof typeof scored, number[]>;
  const at = Object.fromEntries(
    Object.entries(clean).map(([kind, scores]) => [
      kind,
      scores.toSorted((a, b) => b - a)[Math.floor((scores.length * BUDGET_PER_MILLE) / 1000)]! + 1e-9,
    ]),
  ) as Record<keyof typeof clean, number>;
  const alerted = (kind: keyof typeof clean): Figure =>
    amount((1000 * clean[kind].filter((score) => score >= SHIPPED).length) / clean[kind].length, 'per mille');
  say('screening: names that are on a list …');
  const rows: Row[] = [
    ['people on no list alerted at the shipped threshold', alerted('person'), '≤ 5'],
    ['… with their birth date', alerted('dated'), '≤ 0.5'],
    ['companies on no list alerted', alerted('organisation'), '≤ 5'],
    ...exactNames([ofac, un2020, un2025], extent.validations >= 10_000 ? Infinity : 3000),
    ...typing(ofac, whole.person),
    ...leftOut(ofac, un2025, at),
    ...treated(un2025, whole.person, at),
    ...crossList(ofac, un2020, at),
    ...pairs(),
    ...ofacTool(),
  ];
  return [
    measureKinds({ ofac, un2025, un2020 }, whole, scored, { most: extent.validations >= 10_000 ? 400 : 150, say }),
    {
      title:
        `Screening: accuracy (thresholds at ${BUDGET_PER_MILLE} of 1,000 clean: people ${at.person.toFixed(2)}, ` +
        `with dates ${at.dated.toFixed(2)}, companies ${at.organisation.toFixed(2)})`,
      rows,
      raw: { at },
    },
  ];
}

function cleanScores(whole: Record<NameOf, NameSearch>, count: number): CleanScores {
  const people = ['clean_negatives_global.csv.gz', 'clean_negatives_us.csv.gz'].flatMap((name) =>
    sample(labelled(name), count),
  );
  const best = (name: string, found: readonly Found[]) => ({
    half: halfOf(`clean ${name}`),
    score: found[0]?.score ?? 0,
  });
  return {
    person: people.map((row) => best(row['full_name']!, search(whole.person, subject('person', row['full_name']!)))),
    dated: people.map((row) =>
      best(
        row['full_name']!,
        search(whole.person, subject('person', row['full_name']!, isoDate(row['date_of_birth']))),
      ),
    ),
    organisation: sample(labelled('clean_br_companies.csv.gz'), count).map((row) =>
      best(row['name']!, search(whole.organisation, subject('organisation', row['name']!))),
    ),
  };
}

/** Measures every strong name of every list, with its words in another order and another case. */
function exactNames(lists: readonly (readonly ListedEntity[])[], most: number): Row[] {
  let [found, all] = [0, 0];
  for (const list of lists) {
    for (const kind of ['person', 'organisation'] as const) {
      const index = searchOf(kind, list);
      const names = list
        .filter(({ type }) => (type === 'person') === (kind === 'person'))
        .flatMap(({ key, names: own }) =>
          own
            .filter(({ quality, name }) => quality === 'strong' && literalKey(name) !== '')
            .map(({ name }) => ({ key, name })),
        );
      for (const { key, name } of sample(names, Math.min(most, names.length))) {
        all++;
        const query = name.split(' ').reverse().join(' ').toLowerCase();
        if (search(index, subject(kind, query), 1).some(({ entity, score }) => entity.key === key && score === 1))
          found++;
      }
    }
  }
  return [['names of the lists that find themselves, reordered, at threshold 1', percent(found, all), '≥ 100']];
}

/**
 * Measures typing errors: one letter omitted, doubled, replaced or exchanged with its neighbour, in one word of five
 * letters or more.
 */
function typing(ofac: readonly ListedEntity[], index: NameSearch): Row[] {
  let state = 20_260_101;
  const random = (below: number): number => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) % below;
  const names = sample(
    ofac.filter(
      ({ type, names: own }) =>
        type === 'person' && own[0]!.name.split(/[\s-]/).some((word) => /^[a-z]{5,}$/i.test(word)),
    ),
    1000,
  );
  let found = 0;
  for (const {
    key,
    names: [own],
  } of names) {
    const words = own!.name.split(/[\s-]/);
    const long = words.map((word, place) => ({ word, place })).filter(({ word }) => /^[a-z]{5,}$/i.test(word));
    const { word, place } = long[random(long.length)]!;
    const spot = 1 + random(word.length - 2);
    const [start, letter, next, end] = [word.slice(0, spot), word[spot]!, word[spot + 1] ?? '', word.slice(spot + 2)];
    words[place] = [
      start + next + end,
      start + letter + letter + next + end,
      `${start}${'abcdefghijklmnopqrstuvwxyz'[random(26)]}${next}${end}`,
      start + next + letter + end,
    ][random(4)]!;
    if (search(index, subject('person', words.join(' ')), 0.7).some(({ entity }) => entity.key === key)) found++;
  }
  return [['people found at 0.70 with one word mistyped', percent(found, names.length), '≥ 99']];
}

type Thresholds = Record<'person' | 'dated' | 'organisation', number>;

/** Measures aliases that were removed from the list before searching for them. */
function leftOut(ofac: readonly ListedEntity[], un: readonly ListedEntity[], at: Thresholds): Row[] {
  const rows = labelled('search_ofac_leave_one_alias_out_2023-12-28.csv');
  const written = ({ type, query_name: name }: Record<string, string>): string =>
    type === 'P' ? spokenOrder(name!) : name!;
  const dropped = new Map<string, Set<string>>();
  for (const row of rows)
    (dropped.get(row['ent_num']!) ?? dropped.set(row['ent_num']!, new Set()).get(row['ent_num']!)!).add(written(row));
  const rest = ofac.map((entity) => ({
    ...entity,
    names: entity.names.filter(({ name }, place) => place === 0 || !dropped.get(entity.key)?.has(name)),
  }));
  const byKey = new Map(ofac.map((entity) => [entity.key, entity]));
  const found = (index: NameSearch, row: Record<string, string>, type: NameOf, dated: boolean): boolean => {
    const date = byKey.get(row['ent_num']!)?.birthDates[0];
    const who = subject(type, written(row), dated && typeof date === 'string' ? isoDate(date) : null);
    return search(index, who).some(
      ({ entity, score }) => entity.key === row['ent_num'] && score >= (dated ? at.dated : at[type]),
    );
  };
  const [people, organisations] = ['P', 'O'].map((type) => rows.filter((row) => row['type'] === type)) as [
    typeof rows,
    typeof rows,
  ];
  const [person, organisation] = [searchOf('person', rest, un), searchOf('organisation', rest, un)];
  return [
    [
      'unseen OFAC alias of a person among the candidates, at 0.20',
      percent(
        people.filter((row) =>
          search(person, subject('person', written(row)), CANDIDATE).some(
            ({ entity }) => entity.key === row['ent_num'],
          ),
        ).length,
        people.length,
      ),
      '≥ 95',
    ],
    [
      'unseen OFAC alias of a person',
      percent(people.filter((row) => found(person, row, 'person', false)).length, people.length),
      '≥ 80',
    ],
    [
      '… with the birth date',
      percent(people.filter((row) => found(person, row, 'person', true)).length, people.length),
      '≥ 91',
    ],
    [
      'unseen OFAC alias of an organisation',
      percent(
        organisations.filter((row) => found(organisation, row, 'organisation', false)).length,
        organisations.length,
      ),
      '≥ 52',
    ],
  ];
}

/** Measures names of the United Nations with typical misspellings. */
function treated(un: readonly ListedEntity[], index: NameSearch, at: Thresholds): Row[] {
  const keys = new Map<string, Set<string>>();
  for (const { key, names } of un)
    for (const { name } of names)
      (keys.get(literalKey(name)) ?? keys.set(literalKey(name), new Set()).get(literalKey(name))!).add(key);
  const rows = labelled('search_un_treated_to_un2025.csv').flatMap((row) => {
    const own = keys.get(literalKey(row['true_name']!));
    return own === undefined ? [] : [{ row, own }];
  });
  const found = (threshold: number): Figure =>
    percent(
      rows.filter(({ row, own }) =>
        search(index, subject('person', row['query_name']!), threshold).some(({ entity }) => own.has(entity.key)),
      ).length,
      rows.length,
    );
  return [
    ['altered name of the United Nations among the candidates, at 0.20', found(CANDIDATE), '≥ 99.9'],
    ['altered name of the United Nations', found(at.person), '≥ 99.5'],
  ];
}

/** Measures names as the United Kingdom writes them, searched on the list of the United Nations of the same year. */
function crossList(ofac: readonly ListedEntity[], un: readonly ListedEntity[], at: Thresholds): Row[] {
  const rows = labelled('search_hmt2020_to_un2020.csv');
  const index = { person: searchOf('person', ofac, un), organisation: searchOf('organisation', ofac, un) };
  const found = rows.filter((row) => {
    const type = row['schema'] === 'Person' ? 'person' : 'organisation';
    return search(index[type], subject(type, row['query_name']!)).some(
      ({ entity, score }) => entity.references.includes(row['expected_un_ref']!) && score >= at[type],
    );
  });
  return [['name of the United Kingdom on the list of the United Nations', percent(found.length, rows.length), '≥ 91']];
}
