/**
 * Estimates what each line finds on a set of lists: how many clean names it alerts, by invented names, and how many
 * aliases of the lists it finds, each searched in its own entry without it. Runs in a thread of its own
 * (estimate-thread.ts), for a limited processor time. Its counts are sums by list and category, so that the figures of
 * any selection of the lists follow from them.
 */
import type { ListCategory, ListedEntity } from '../listed-entity.ts';
import { inventedCompanies, inventedPeople, type InventedSubject } from '../names/invented.ts';
import type { NameOf } from '../names/token.ts';
import { IndexedNames } from './indexed-names.ts';
import { isNamesake, type Judgement, type ListRules } from './judgement.ts';
import { literalKey, NameIndexBuilder } from './name-index.ts';
import type { Indexes } from './screening-engine.ts';
import { NameSearch, type SearchOptions } from './search.ts';
import type { Subject } from './subject.ts';

/** Version of the estimate: a change of the invented names, of the counting or of the limits needs a new one. */
export const ESTIMATE_FORMAT = 2;

/** Lines are counted in hundredths of a score, from the lowest one to 1. */
export const LOWEST_LINE = 70;
export const HIGHEST_LINE = 100;

const SEED = 20_261_128;

export interface EstimateOrder {
  readonly indexes: Indexes;
  /** The lists of the set, by their number. */
  readonly lists: readonly { readonly rules: ListRules; readonly category: ListCategory }[];
  readonly limits: EstimateLimits;
}

export interface EstimateLimits {
  readonly people: number;
  readonly companies: number;
  /** Most aliases of each list. */
  readonly aliases: number;
  /** Most processor time of each of the six parts. A part that takes longer ends with fewer names. */
  readonly milliseconds: number;
}

/** Highest line that the entries of a list and category reach. */
interface ReachedLine {
  readonly list: number;
  readonly category: ListCategory;
  readonly line: number;
}

/** Aliases of a list and category. */
export interface TestedAliases {
  readonly list: number;
  readonly category: ListCategory;
  /** Number of aliases of the list for which each tested one stands. */
  readonly weight: number;
  readonly tested: number;
  /** Number of aliases whose highest line is this, from the lowest line on. */
  readonly reached: readonly number[];
}

/** Counts for subjects of one type, searched with or without their date of birth. */
export interface EstimatedCounts {
  readonly subject: NameOf;
  readonly withBirthDate: boolean;
  readonly cleanTested: number;
  /** Clean names that reach the lowest line, grouped by the lines that they reach. */
  readonly cleanReached: readonly { readonly names: number; readonly lines: readonly ReachedLine[] }[];
  readonly aliases: readonly TestedAliases[];
}

/** Searches invented names and aliases without their date of birth, and people with it, too. */
export function estimate({ indexes, lists, limits }: EstimateOrder): EstimatedCounts[] {
  const options = optionsFor(lists);
  const categoryOf: Asked['categoryOf'] = (list, { category }) => category ?? lists[list]!.category;
  const of = (subject: NameOf, invented: readonly InventedSubject[], dated: readonly boolean[]): EstimatedCounts[] => {
    const whole = new NameSearch(indexes[subject]);
    const sampled = sampleOf(subject, indexes[subject], limits.aliases);
    return dated.map((withBirthDate) => {
      const asked = {
        subject,
        whole,
        options,
        categoryOf,
        withBirthDate,
        milliseconds: limits.milliseconds,
      };
      const aliases = aliasCounts(asked, sampled);
      return {
        subject,
        withBirthDate,
        ...cleanCounts(asked, invented),
        aliases,
      };
    });
  };
  return [
    ...of('person', inventedPeople(SEED, limits.people), [false, true]),
    ...of('organisation', inventedCompanies(SEED, limits.companies), [false]),
  ];
}

/** Returns the options of a search that finds all that reach the lowest line, and equal names. */
function optionsFor(lists: EstimateOrder['lists']): SearchOptions {
  const lowest = LOWEST_LINE / 100;
  return {
    threshold: lowest,
    rules: lists.map(({ rules }) => rules),
    counting: {
      categories: lists.map(({ category }) => category),
      alert: {
        sanction: lowest,
        pep: lowest,
        rca: lowest,
        adverse: lowest,
        watchlist: lowest,
        disqualified: lowest,
      },
      inOfficeOn: null,
    },
  };
}

interface Asked {
  readonly subject: NameOf;
  readonly whole: NameSearch;
  readonly options: SearchOptions;
  readonly categoryOf: (list: number, entity: ListedEntity) => ListCategory;
  readonly withBirthDate: boolean;
  readonly milliseconds: number;
}

/**
 * Finds all hits of each name, not the best ones of a response, because a tenant may search one list alone, on which
 * hits of other lists take no places.
 */
function cleanCounts(
  { subject, whole, options, categoryOf, withBirthDate, milliseconds }: Asked,
  invented: readonly InventedSubject[],
): Pick<EstimatedCounts, 'cleanTested' | 'cleanReached'> {
  const groups = new Map<string, { names: number; readonly lines: readonly ReachedLine[] }>();
  const cleanTested = each(invented, milliseconds, ({ name, birthDate }) => {
    const best = new Map<string, ReachedLine>();
    const asked = subjectOf(subject, name, withBirthDate ? birthDate : null);
    for (const { list, entity, score, judgement } of whole.search(asked, options)) {
      const category = categoryOf(list, entity);
      const key = `${list} ${category}`;
      const line = lineOf(category, score, judgement);
      if (line > (best.get(key)?.line ?? 0)) best.set(key, { list, category, line });
    }
    if (best.size === 0) return;
    const lines = [...best.values()].sort((a, b) => a.list - b.list || (a.category < b.category ? -1 : 1));
    const key = JSON.stringify(lines);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { names: 1, lines });
    else group.names++;
  });
  return { cleanTested, cleanReached: [...groups.values()] };
}

interface SampledAlias {
  readonly name: string;
  readonly list: number;
  readonly weight: number;
  /** Entry without the alias, under a key of its own. */
  readonly rest: ListedEntity;
}

/**
 * Searches each alias in an index of its entry without it. The words weigh as on the whole lists, where the alias
 * itself still counts.
 */
function aliasCounts(
  { subject, whole, options, categoryOf, withBirthDate, milliseconds }: Asked,
  sampled: readonly SampledAlias[],
): TestedAliases[] {
  const builder = new NameIndexBuilder(subject);
  for (const { rest, list } of sampled) builder.add(rest, list);
  const without = new NameSearch(builder.build());
  const counts = new Map<string, Omit<TestedAliases, 'tested' | 'reached'> & { tested: number; reached: number[] }>();
  each(sampled, milliseconds, ({ name, list, weight, rest }) => {
    const category = categoryOf(list, rest);
    const key = `${list} ${category}`;
    let count = counts.get(key);
    if (count === undefined) {
      count = {
        list,
        category,
        weight,
        tested: 0,
        reached: Array<number>(HIGHEST_LINE - LOWEST_LINE + 1).fill(0),
      };
      counts.set(key, count);
    }
    count.tested++;
    const birthDate = withBirthDate ? dayOf(rest) : null;
    const found = without
      .search(subjectOf(subject, name, birthDate), options, Infinity, whole)
      .find(({ entity }) => entity.key === rest.key);
    if (found !== undefined) count.reached[lineOf(category, found.score, found.judgement) - LOWEST_LINE]!++;
  });
  return [...counts.values()];
}

/**
 * Share of the places of a list by which the next alias lies further, counted in a circle. With the golden ratio the
 * first aliases are evenly spread, however many they are.
 */
const STRIDE = (Math.sqrt(5) - 1) / 2;

/**
 * Selects at most `most` aliases of each list, evenly spread over it. Leaves out weak names, single words of people,
 * and names that another name of the entry repeats. The first aliases are spread over all lists as well, so that the
 * weights hold if the processor time ends before the last one.
 */
function sampleOf(of: NameOf, buffer: SharedArrayBuffer, most: number): SampledAlias[] {
  const names = new IndexedNames(buffer);
  const byList = new Map<number, number[]>();
  for (let name = 1; name < names.names; name++) {
    const entity = names.nameEntity[name]!;
    const isFirst = names.nameEntity[name - 1] !== entity;
    const hasWords = names.nameStart[name] !== names.nameStart[name + 1];
    if (isFirst || !hasWords) continue;
    const list = names.entityList[entity]!;
    const found = byList.get(list);
    if (found === undefined) byList.set(list, [name]);
    else found.push(name);
  }
  const places = [...byList].flatMap(([list, all]) => {
    const count = Math.min(most, all.length);
    return Array.from({ length: count }, (_, at) => ({
      list,
      number: all[Math.floor((at * all.length) / count)]!,
      weight: all.length / count,
      turn: (at * STRIDE) % 1,
    }));
  });
  return places
    .sort((a, b) => a.turn - b.turn)
    .flatMap(({ list, number, weight }) => {
      const entity = names.entity(names.nameEntity[number]!);
      const { name } = entity.names[names.placeOf(number)]!;
      const key = literalKey(name);
      const rest = entity.names.filter((other) => other.name !== name);
      if (of === 'person' && !key.includes(' ')) return [];
      if (rest.some((other) => literalKey(other.name) === key)) return [];
      return [
        {
          name,
          list,
          weight,
          rest: { ...entity, key: String(number), names: rest },
        },
      ];
    });
}

/** Returns the first complete date of birth of an entry. */
const dayOf = ({ birthDates }: ListedEntity): string | null =>
  birthDates.find((date): date is string => typeof date === 'string' && date.length === 10) ?? null;

const subjectOf = (type: NameOf, name: string, birthDate: string | null): Subject => ({
  type,
  names: [name],
  birthDate,
  gender: null,
  countries: [],
  taxId: null,
  identifiers: [],
});

/**
 * Returns the highest line that a hit reaches, compared as the search compares scores. No line excludes an equal name
 * on a list of sanctions.
 */
function lineOf(category: ListCategory, score: number, judgement: Judgement): number {
  if (category === 'sanction' && isNamesake(judgement)) return HIGHEST_LINE;
  let line = Math.min(HIGHEST_LINE, Math.ceil(score * 100));
  while (score < line / 100) line--;
  return line;
}

/** Visits values until the processor time of this thread is used up, and returns how many were visited. */
function each<T>(all: readonly T[], milliseconds: number, visit: (value: T) => void): number {
  const startedAt = process.threadCpuUsage();
  for (const [index, value] of all.entries()) {
    const { user, system } = process.threadCpuUsage(startedAt);
    if (user + system > milliseconds * 1000) return index;
    visit(value);
  }
  return all.length;
}
