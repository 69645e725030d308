/**
 * Measures what the engine finds at the default thresholds, and the cost: hits per thousand unlisted people and
 * companies, and listed people found by exact names with typical dates, by aliases and by altered names.
 * `screening-accuracy.ts` measures at thresholds of its own, chosen for a budget of alerts. Used by main.ts.
 */
import { gunzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { bandOf } from '../../server/modules/screenings/bands.ts';
import { literalKey } from '../../server/screening/engine/name-index.ts';
import type { NameSearch } from '../../server/screening/engine/search.ts';
import type { ListedEntity } from '../../server/screening/listed-entity.ts';
import type { NameOf } from '../../server/screening/names/token.ts';
import { spokenOrder } from '../../server/screening/sources/ofac-csv.ts';
import { amount, type Figure, type Row, type Section } from './figures.ts';
import type { Laboratory } from './laboratory.ts';
import { hasData, labelled, ofacOf2023, pathOf, percent, sample, searchOf, unOf } from './screening-data.ts';
import { hitsOf, LINES } from './screening-hits.ts';

const perMille = (part: number, whole: number): Figure =>
  amount((1000 * part) / whole, 'per mille', `${((1000 * part) / whole).toFixed(2)} per mille of ${whole}`);
const isoDay = (text: string | undefined): string | null =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) ? text : null;

/** Returns random numbers that are the same in each run. */
function random(state: number): (below: number) => number {
  return (below) => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) % below;
}

type Whole = Record<NameOf, NameSearch>;

export async function measureScreeningAtShippedLines({ extent, say }: Laboratory): Promise<Section[]> {
  if (!hasData()) return [];
  const isWhole = extent.validations >= 10_000;
  say('screening at the shipped lines: lists …');
  const [ofac, un] = [await ofacOf2023(), await unOf('2025-08-16')];
  const whole: Whole = { person: searchOf('person', ofac, un), organisation: searchOf('organisation', ofac, un) };
  say('screening at the shipped lines: names …');
  const rows = [
    ...clean(whole, isWhole ? 4500 : 500),
    ...brazilian(whole.person, isWhole ? 20_000 : 1000),
    ...exact('of the United States', ofac, whole.person, isWhole ? 1000 : 100),
    ...exact('of the United Nations', un, whole.person, isWhole ? 1000 : 100),
    ...companies(ofac, whole.organisation, isWhole ? 1000 : 100),
    ...unseenAliases(ofac, un),
    ...altered(un, whole.person),
  ];
  return [{ title: 'Screening: at the shipped lines', rows, raw: {} }];
}

/** Measures people and companies that are on no list. */
function clean(whole: Whole, count: number): Row[] {
  const people = ['clean_negatives_global.csv.gz', 'clean_negatives_us.csv.gz'].flatMap((name) =>
    sample(labelled(name), count),
  );
  const companies = sample(labelled('clean_br_companies.csv.gz'), count);
  const alerted = (dated: boolean): number =>
    people.filter(
      (row) =>
        hitsOf(whole.person, 'person', row['full_name']!, dated ? isoDay(row['date_of_birth']) : null).length > 0,
    ).length;
  return [
    ['clean people alerted, without a date', perMille(alerted(false), people.length), '≤ 5'],
    ['… with their date of birth', perMille(alerted(true), people.length), '≤ 0.5'],
    [
      'clean companies alerted',
      perMille(
        companies.filter((row) => hitsOf(whole.organisation, 'organisation', row['name']!).length > 0).length,
        companies.length,
      ),
      '≤ 5',
    ],
  ];
}

/** Measures invented people of Brazil, with names as frequent as in life, and the most frequent names of all. */
function brazilian(index: NameSearch, count: number): Row[] {
  const words: Record<string, string>[] = parse(
    gunzipSync(readFileSync(pathOf('lexicons/br-token-frequencies.csv.gz'))),
    { columns: true },
  );
  const known = words
    .map((row) => ({ word: row['token']!, people: Number(row['people']), first: Number(row['as_first']) }))
    .filter(({ word }) => word.length > 3);
  const [firsts, lasts] = [
    known.filter(({ first }) => first > 0).map(({ word, first }) => ({ word, often: first })),
    known.map(({ word, people, first }) => ({ word, often: people - first })).filter(({ often }) => often > 0),
  ];
  const next = random(20_261_125);
  const drawer = (all: readonly { readonly word: string; readonly often: number }[]) => {
    const ends = all.map(
      (
        (sum) =>
        ({ often }) =>
          (sum += often)
      )(0),
    );
    return (): string => {
      const at = next(ends.at(-1)!);
      return all[ends.findIndex((end) => at < end)]!.word;
    };
  };
  const [first, last] = [drawer(firsts), drawer(lasts)];
  const day = (): string =>
    `${1940 + next(66)}-${String(1 + next(12)).padStart(2, '0')}-${String(1 + next(28)).padStart(2, '0')}`;
  const people = Array.from({ length: count }, () => [first(), ...Array.from({ length: 1 + next(3) }, last)].join(' '));
  const most = (all: readonly { readonly word: string; readonly often: number }[]): string[] =>
    all
      .toSorted((a, b) => b.often - a.often)
      .slice(0, 50)
      .map(({ word }) => word);
  const frequent = most(firsts).flatMap((one) => most(lasts).map((other) => `${one} ${other}`));
  const alerted = (names: readonly string[], dateOf: () => string | null): Figure =>
    perMille(names.filter((name) => hitsOf(index, 'person', name, dateOf()).length > 0).length, names.length);
  return [
    ['invented people of Brazil alerted, without a date', alerted(people, () => null)],
    ['… with a date of birth', alerted(people, day)],
    ['the most frequent names of Brazil alerted, without a date', alerted(frequent, () => null)],
    ['… with a date of birth', alerted(frequent, day)],
  ];
}

/** Typical mistakes in a date; null if the mistake leaves the date unchanged or makes it invalid. */
const WRITTEN: Readonly<Record<string, (date: string) => string | null>> = {
  'with the date of the list': (date) => date,
  '… with day and month transposed': (date) =>
    Number(date.slice(8)) > 12 || date.slice(8) === date.slice(5, 7)
      ? null
      : `${date.slice(0, 5)}${date.slice(8)}-${date.slice(5, 7)}`,
  '… with two digits of the year swapped': (date) =>
    date[2] === date[3] ? null : `${date.slice(0, 2)}${date[3]}${date[2]}${date.slice(4)}`,
  '… a day off': (date) => new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10),
  '… a year off': (date) => (date.endsWith('-02-29') ? null : `${Number(date.slice(0, 4)) + 1}${date.slice(4)}`),
  '… with another date': (date) => new Date(Date.parse(date) + 4_123 * 86_400_000).toISOString().slice(0, 10),
};

/** Measures people of a list by their exact names. */
function exact(of: string, list: readonly ListedEntity[], index: NameSearch, count: number): Row[] {
  const dated = list.filter(
    ({ type, birthDates: [date], names: [name] }) =>
      type === 'person' &&
      typeof date === 'string' &&
      date.length === 10 &&
      name!.quality === 'strong' &&
      literalKey(name!.name).includes(' '),
  );
  const found = (
    entities: readonly ListedEntity[],
    nameOf: (entity: ListedEntity) => string,
    dateOf: (date: string) => string | null,
  ): Figure => {
    const asked = entities
      .map((entity) => ({ key: entity.key, name: nameOf(entity), date: dateOf(entity.birthDates[0] as string) }))
      .filter(({ date }) => date !== null);
    const bands = asked.flatMap(({ key, name, date }) =>
      hitsOf(index, 'person', name, date === '' ? null : date)
        .filter(({ entity }) => entity.key === key)
        .map((hit) => bandOf({ ...hit, category: 'sanction' }, LINES.person)),
    );
    const namesakes = bands.filter((band) => band === 'namesake').length;
    const { value, text } = percent(bands.length, asked.length);
    return amount(value, '%', `${text}${namesakes === 0 ? '' : `, ${namesakes} as namesakes`}`);
  };
  const [people, aliased] = [
    sample(dated, count),
    sample(
      dated.filter(({ names }) => aliasOf({ names }) !== undefined),
      count,
    ),
  ];
  const written = (dateOf: (date: string) => string | null): Figure =>
    found(people, ({ names }) => names[0]!.name, dateOf);
  return [
    [`people ${of} by their exact name, without a date`, written(() => ''), '≥ 100'],
    ...Object.entries(WRITTEN).map(([what, dateOf]): Row => [what, written(dateOf), '≥ 100']),
    [
      '… by a strong alias, without a date',
      found(
        aliased,
        (entity) => aliasOf(entity)!,
        () => '',
      ),
      '≥ 100',
    ],
    [
      '… by a strong alias, with another date',
      found(aliased, (entity) => aliasOf(entity)!, WRITTEN['… with another date']!),
      '≥ 100',
    ],
  ];
}

const aliasOf = ({ names }: Pick<ListedEntity, 'names'>): string | undefined =>
  names.slice(1).find(({ name, quality }) => quality === 'strong' && literalKey(name).includes(' '))?.name;

function companies(ofac: readonly ListedEntity[], index: NameSearch, count: number): Row[] {
  const entities = sample(
    ofac.filter(({ type, names: [name] }) => type !== 'person' && name!.quality === 'strong'),
    count,
  );
  return [
    [
      'companies, vessels and aircraft by their exact name',
      percent(
        entities.filter(({ key, names: [name] }) =>
          hitsOf(index, 'organisation', name!.name).some(({ entity }) => entity.key === key),
        ).length,
        entities.length,
      ),
      '≥ 100',
    ],
  ];
}

/** Measures aliases that were removed from the list before searching for them. */
function unseenAliases(ofac: readonly ListedEntity[], un: readonly ListedEntity[]): Row[] {
  const rows = labelled('search_ofac_leave_one_alias_out_2023-12-28.csv').map((row) => ({
    key: row['ent_num']!,
    type: row['type'] === 'P' ? ('person' as const) : ('organisation' as const),
    name: row['type'] === 'P' ? spokenOrder(row['query_name']!) : row['query_name']!,
  }));
  const dropped = new Map(
    Object.entries(Object.groupBy(rows, ({ key }) => key)).map(([key, all]) => [
      key,
      new Set(all!.map(({ name }) => name)),
    ]),
  );
  const rest = ofac.map((entity) => ({
    ...entity,
    names: entity.names.filter(({ name }, place) => place === 0 || !dropped.get(entity.key)?.has(name)),
  }));
  const dates = new Map(
    ofac.map(({ key, birthDates: [date] }) => [key, typeof date === 'string' ? isoDay(date) : null]),
  );
  const index = { person: searchOf('person', rest, un), organisation: searchOf('organisation', rest, un) };
  const found = (type: NameOf, dated: boolean): Figure => {
    const asked = rows.filter((row) => row.type === type);
    return percent(
      asked.filter(({ key, name }) =>
        hitsOf(index[type], type, name, dated ? (dates.get(key) ?? null) : null).some(
          ({ entity }) => entity.key === key,
        ),
      ).length,
      asked.length,
    );
  };
  return [
    ['people by an alias that the list lacks, without a date', found('person', false)],
    ['… with the date of the list, where it has one', found('person', true)],
    ['organisations by an alias that the list lacks', found('organisation', false)],
  ];
}

/** Measures names of the United Nations with typical misspellings. */
function altered(un: readonly ListedEntity[], index: NameSearch): Row[] {
  const known = new Map<string, ListedEntity[]>();
  for (const entity of un)
    for (const { name } of entity.names) known.set(literalKey(name), [...(known.get(literalKey(name)) ?? []), entity]);
  const rows = labelled('search_un_treated_to_un2025.csv')
    .map((row) => ({ name: row['query_name']!, own: known.get(literalKey(row['true_name']!)) ?? [] }))
    .filter(({ own }) => own.length > 0);
  const dateOf = (own: readonly ListedEntity[]): string | null =>
    own
      .flatMap(({ birthDates }) => birthDates)
      .find((date): date is string => typeof date === 'string' && date.length === 10) ?? null;
  const found = (all: typeof rows, written: (date: string | null) => string | null): Figure =>
    percent(
      all.filter(({ name, own }) =>
        hitsOf(index, 'person', name, written(dateOf(own))).some(({ entity }) =>
          own.some(({ key }) => key === entity.key),
        ),
      ).length,
      all.length,
    );
  const dated = rows.filter(({ own }) => dateOf(own) !== null);
  return [
    ['altered names of the United Nations, without a date', found(rows, () => null)],
    ['… with the date of the list', found(dated, (date) => date)],
    [
      '… with day and month transposed',
      found(
        dated.filter(({ own }) => WRITTEN['… with day and month transposed']!(dateOf(own)!) !== null),
        (date) => WRITTEN['… with day and month transposed']!(date!),
      ),
    ],
    ['… with another date', found(dated, (date) => WRITTEN['… with another date']!(date!))],
  ];
}
