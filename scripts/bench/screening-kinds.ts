/**
 * Measures which rewritings of listed names the engine finds, by kind, at the shipped lines and at five alerts in a
 * thousand. A seed draws each listed entity into one of two halves: rules are chosen on the development half, and the
 * validation half is only printed. Used by screening-accuracy.ts.
 */
import type { NameSearch } from '../../server/screening/engine/search.ts';
import type { ListedEntity } from '../../server/screening/listed-entity.ts';
import type { NameOf } from '../../server/screening/names/token.ts';
import { spokenOrder } from '../../server/screening/sources/ofac-csv.ts';
import type { Row, Section } from './figures.ts';
import { labelled, RULES, searchOf, subject } from './screening-data.ts';
import { LINES } from './screening-hits.ts';
import { ordering } from './screening-pairs.ts';
import {
  abbreviated,
  called,
  chance,
  type Half,
  halfOf,
  HABITS,
  HALVES,
  joined,
  oneOfTwoSurnames,
  renumbered,
  reordered,
  romanized,
  SEED,
  split,
  withInitials,
  withLegalForm,
  withoutPatronymic,
} from './screening-rewriting.ts';

const BUDGET_PER_MILLE = 5;
/** Lowest score of a search: below any line that a budget could give. */
const LEAST = 0.55;

interface Asked {
  readonly of: NameOf;
  readonly name: string;
  readonly birthDate?: string | null;
  /** Returns whether an entity is the right one. */
  readonly is: (entity: ListedEntity) => boolean;
  readonly half: Half;
}

interface Kind {
  readonly what: string;
  readonly goal: string;
  readonly asked: readonly Asked[];
  readonly index?: Partial<Record<NameOf, NameSearch>>;
}

/** The best scores of names that are on no list, by half. */
export type CleanScores = Readonly<
  Record<NameOf | 'dated', readonly { readonly half: Half; readonly score: number }[]>
>;

export function measureKinds(
  lists: {
    readonly ofac: readonly ListedEntity[];
    readonly un2025: readonly ListedEntity[];
    readonly un2020: readonly ListedEntity[];
  },
  whole: Record<NameOf, NameSearch>,
  clean: CleanScores,
  { most, say }: { readonly most: number; readonly say: (line: string) => void },
): Section {
  const at = Object.fromEntries(
    Object.entries(clean).map(([kind, scores]) => {
      const own = scores.filter(({ half }) => half === 'development').map(({ score }) => score);
      return [kind, own.toSorted((a, b) => b - a)[Math.floor((own.length * BUDGET_PER_MILLE) / 1000)]! + 1e-9];
    }),
  ) as Record<NameOf | 'dated', number>;
  const rows: Row[] = [...alerted(clean)];
  const add = ({ what, goal, asked, index }: Kind): void => {
    say(`screening, by kind: ${what} …`);
    for (const half of HALVES) {
      const own = asked.filter((one) => one.half === half).slice(0, most);
      const scores = own.map(({ of, name, birthDate = null, is }) => {
        const found = (index?.[of] ?? whole[of]).search(subject(of, name, birthDate), {
          threshold: LEAST,
          rules: RULES,
        });
        const own = found.find(({ entity }) => is(entity))?.score ?? 0;
        return { of, dated: birthDate !== null, score: own };
      });
      const shipped = scores.filter(({ of, score }) => score >= LINES[of].sanctions.alert).length;
      const budget = scores.filter(({ of, dated, score }) => score >= at[dated ? 'dated' : of]).length;
      rows.push([
        `${what}: ${half}`,
        {
          value: (100 * shipped) / own.length,
          text: `${share(shipped, own.length)}; at the budget ${((100 * budget) / own.length).toFixed(1)} %`,
        },
        goal,
      ]);
    }
  };
  for (const kind of kindsOf(lists)) add({ ...kind, asked: inOrder(kind.asked) });
  for (const half of HALVES) rows.push(...ordering(half));
  return {
    title:
      `Screening: by kind, at the shipped lines (at the budget of ${BUDGET_PER_MILLE} in a thousand: people ` +
      `${at.person.toFixed(2)}, with dates ${at.dated.toFixed(2)}, companies ${at.organisation.toFixed(2)})`,
    rows,
    raw: { at, seed: SEED },
  };
}

/** Returns the names in an order drawn by the seed, so that a sample is of all of them. */
const inOrder = (asked: readonly Asked[]): Asked[] =>
  asked
    .map((one) => ({ one, order: chance(`${SEED} order ${one.name}`)(1e9) }))
    .sort((a, b) => a.order - b.order)
    .map(({ one }) => one);

/** Returns a share in percent with its interval of 95 % (Wilson). */
function share(part: number, whole: number): string {
  const [rate, z] = [part / whole, 1.96];
  const middle = (rate + (z * z) / (2 * whole)) / (1 + (z * z) / whole);
  const wide = (z / (1 + (z * z) / whole)) * Math.sqrt((rate * (1 - rate)) / whole + (z * z) / (4 * whole * whole));
  const [percent, low, high] = [rate, middle - wide, middle + wide].map((value) =>
    (100 * Math.min(1, Math.max(0, value))).toFixed(1),
  );
  return `${percent} % of ${whole} (${low}–${high})`;
}

const CLEAN = { person: 'people', dated: 'people with their birth date', organisation: 'companies' } as const;

function alerted(clean: CleanScores): Row[] {
  return (['person', 'dated', 'organisation'] as const).flatMap((kind) =>
    HALVES.map((half): Row => {
      const own = clean[kind].filter((one) => one.half === half);
      const line = LINES[kind === 'organisation' ? 'organisation' : 'person'].sanctions.alert;
      const count = own.filter(({ score }) => score >= line).length;
      return [
        `${CLEAN[kind]} on no list alerted, in a thousand: ${half}`,
        { value: (1000 * count) / own.length, text: `${((1000 * count) / own.length).toFixed(2)} of ${own.length}` },
        kind === 'dated' ? '≤ 0.3' : '≤ 3',
      ];
    }),
  );
}

/** Returns the kinds of names, each with all names of both halves. */
function* kindsOf(lists: Parameters<typeof measureKinds>[0]): Generator<Kind> {
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
function arabic({ ofac, un2020 }: Parameters<typeof measureKinds>[0]): Kind {
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
function* unseenAliases({ ofac, un2025 }: Parameters<typeof measureKinds>[0]): Generator<Kind> {
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
function altered({ un2025 }: Parameters<typeof measureKinds>[0]): Kind {
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
function crossList({ ofac, un2020 }: Parameters<typeof measureKinds>[0]): Kind {
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
