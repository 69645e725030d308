/**
 * The kinds of names by which the engine is measured: listed names, rewritten in one way each, and real names that the
 * lists write in several ways. Used by screening-kinds.ts.
 */
import type { NameSearch } from '../../server/screening/engine/search.ts';
import type { ListedEntity } from '../../server/screening/listed-entity.ts';
import type { NameOf } from '../../server/screening/names/token.ts';
import { spokenOrder } from '../../server/screening/sources/ofac-csv.ts';
import { labelled, searchOf } from './screening-data.ts';
import {
  abbreviated,
  called,
  type Half,
  halfOf,
  HABITS,
  joined,
  oneOfTwoSurnames,
  renumbered,
  reordered,
  romanized,
  split,
  withInitials,
  withLegalForm,
  withoutPatronymic,
} from './screening-rewriting.ts';

/** The lists that are searched. */
export interface Lists {
  readonly ofac: readonly ListedEntity[];
  readonly un2025: readonly ListedEntity[];
  readonly un2020: readonly ListedEntity[];
}

/** Name that is searched for. */
export interface Asked {
  readonly of: NameOf;
  readonly name: string;
  readonly birthDate?: string | null;
  /** Returns whether an entity is the right one. */
  readonly is: (entity: ListedEntity) => boolean;
  readonly half: Half;
}

/** Kind of rewriting, with all names of both halves. */
export interface Kind {
  readonly what: string;
  readonly goal: string;
  readonly asked: readonly Asked[];
  readonly index?: Partial<Record<NameOf, NameSearch>>;
}

/** Returns the kinds of names, each with all names of both halves. */
export function* kindsOf(lists: Lists): Generator<Kind> {
  const { ofac, un2025 } = lists;
  const listed = [
    ...ofac.map((entity) => ({ entity, list: 'ofac' })),
    ...un2025.map((entity) => ({ entity, list: 'un' })),
  ]
    .filter(({ entity: { names } }) => names[0]!.quality === 'strong')
    .map(({ entity, list }) => ({ entity, half: halfOf(`${list} ${entity.key}`) }));
  const rewritten = (of: NameOf, rewrite: (name: string) => string | null): Asked[] =>
    listed.flatMap(({ entity, half }) => {
      if ((entity.type === 'person') !== (of === 'person')) return [];
      const name = rewrite(entity.names[0]!.name);
      return name === null
        ? []
        : [
            {
              of,
              name,
              half,
              is: ({ key }: ListedEntity) => key === entity.key,
            },
          ];
    });
  const kind = (what: string, of: NameOf, rewrite: (name: string) => string | null, goal = '≥ 90'): Kind => ({
    what,
    goal,
    asked: rewritten(of, rewrite),
  });
  yield arabic(lists);
  for (const habit of HABITS)
    yield kind(`Slavic names as written in ${habit}`, 'person', (name) => romanized(name, habit));
  yield kind('patronymic left out', 'person', withoutPatronymic);
  yield kind('first name and one of two surnames', 'person', oneOfTwoSurnames);
  yield kind('surname with initials', 'person', withInitials);
  yield kind('short form of the first name', 'person', called);
  yield kind('people, two words joined', 'person', joined);
  yield kind('people, a word split', 'person', split);
  yield kind('organisations, two words joined', 'organisation', joined);
  yield kind('organisations, a word split', 'organisation', split);
  yield kind('organisations, words abbreviated', 'organisation', abbreviated);
  for (const form of ['in full', 'in another language', 'left out'] as const)
    yield kind(`legal form ${form}`, 'organisation', (name) => withLegalForm(name, form));
  yield kind('numbers in other numerals', 'organisation', renumbered);
  yield kind('people by their exact names, reordered', 'person', reordered, '≥ 100');
  yield kind('organisations by their exact names, reordered', 'organisation', reordered, '≥ 100');
  yield* unseenAliases(lists);
  yield altered(lists);
  yield crossList(lists);
}

const ARABIC = /\p{Script=Arabic}/u;

/** Names in Arabic script, searched among entries without them. */
function arabic({ ofac, un2020 }: Lists): Kind {
  const asked = un2020.flatMap(({ key, type, names }): Asked[] => {
    const name = names.find((one) => one.kind === 'original_script' && ARABIC.test(one.name))?.name;
    return name === undefined || type !== 'person'
      ? []
      : [
          {
            of: 'person',
            name,
            half: halfOf(`un ${key}`),
            is: (entity) => entity.key === key,
          },
        ];
  });
  const latin = un2020.map((entity) => ({ ...entity, names: entity.names.filter(({ name }) => !ARABIC.test(name)) }));
  return {
    what: 'names in Arabic script, listed in Latin',
    goal: '≥ 85',
    asked,
    index: { person: searchOf('person', ofac, latin) },
  };
}

/** Aliases that were removed from the list before searching for them. */
function* unseenAliases({ ofac, un2025 }: Lists): Generator<Kind> {
  const rows = labelled('search_ofac_leave_one_alias_out_2023-12-28.csv').map((row) => ({
    key: row['ent_num']!,
    of: row['type'] === 'P' ? ('person' as const) : ('organisation' as const),
    name: row['type'] === 'P' ? spokenOrder(row['query_name']!) : row['query_name']!,
    half: halfOf(`ofac ${row['ent_num']}`),
    is: ({ key }: ListedEntity) => key === row['ent_num'],
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
  const index = { person: searchOf('person', rest, un2025), organisation: searchOf('organisation', rest, un2025) };
  const dates = new Map(
    ofac.map(({ key, birthDates: [date] }) => [key, typeof date === 'string' && date.length === 10 ? date : null]),
  );
  const people = rows.filter(({ of }) => of === 'person');
  yield {
    what: 'unseen aliases of people',
    goal: '≥ 84',
    asked: people,
    index,
  };
  yield {
    what: 'unseen aliases of people with their birth date',
    goal: '≥ 92',
    asked: people.map((row) => ({ ...row, birthDate: dates.get(row.key) ?? null })),
    index,
  };
  yield {
    what: 'unseen aliases of organisations',
    goal: '≥ 66',
    asked: rows.filter(({ of }) => of !== 'person'),
    index,
  };
}

/** Names of the United Nations with typical misspellings. */
function altered({ un2025 }: Lists): Kind {
  const keys = Map.groupBy(
    un2025.flatMap(({ key, names }) => names.map(({ name }) => ({ key, name: name.toLowerCase() }))),
    ({ name }) => name,
  );
  return {
    what: 'altered names of the United Nations',
    goal: '≥ 99.5',
    asked: labelled('search_un_treated_to_un2025.csv').flatMap((row): Asked[] => {
      const own = keys.get(row['true_name']!.toLowerCase())?.map(({ key }) => key);
      return own === undefined
        ? []
        : [
            {
              of: 'person',
              name: row['query_name']!,
              half: halfOf(`un ${own[0]}`),
              is: ({ key }) => own.includes(key),
            },
          ];
    }),
  };
}

/** Names as the United Kingdom writes them, on the list of the United Nations of the same year. */
function crossList({ ofac, un2020 }: Lists): Kind {
  return {
    what: 'British names on the list of the United Nations',
    goal: '≥ 95',
    asked: labelled('search_hmt2020_to_un2020.csv').map((row) => ({
      of: row['schema'] === 'Person' ? ('person' as const) : ('organisation' as const),
      name: row['query_name']!,
      half: halfOf(`un ${row['expected_un_ref']}`),
      is: ({ references }) => references.includes(row['expected_un_ref']!),
    })),
    index: { person: searchOf('person', ofac, un2020), organisation: searchOf('organisation', ofac, un2020) },
  };
}
