/**
 * Chooses the lists and lines of a screening and searches them, the tenant's own list included. Used by
 * run-screening.ts. It records the versions that were searched, because a result is worth nothing without them.
 */
import type { BusinessTime, RealTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { InsertOf, Transaction } from '../../database/index.ts';
import { ownList, type OwnListVersion } from '../own-lists/index.ts';
import { readScreeningRules } from '../tenant-settings/index.ts';
import { activeVersions, type ListVersion, OWN_LIST } from '../watch-lists/index.ts';
import { type Lines, linesAt, linesFor } from './bands.ts';
import type { LoadedLists } from './loaded-lists.ts';
import { type FoundHit, type FoundHits, MOST_HITS, searchLists } from './search-lists.ts';
import { type OfApplication, simulatedEntries } from './simulated-entry-store.ts';
import { type ScreenedSubject, type screening, type SearchedList } from './store.ts';
import { type ListChoice, wantedLists } from './wanted-lists.ts';

type Schemas = components['schemas'];

/** The initiator of a screening: a caller, or monitoring. */
export interface Screener {
  readonly tx: Transaction;
  readonly tenantId: string;
  readonly by: Schemas['Actor'];
  readonly now: RealTime;
  /** Business time of the environment. */
  readonly at: BusinessTime;
}

export interface ScreeningOrder extends OfApplication, ListChoice {
  /** Null if a subject without an application is screened for the first time. */
  readonly subjectId: string | null;
  readonly subject: ScreenedSubject;
  readonly criteria: Partial<Schemas['ScreeningCriteria']>;
}

type Criteria = InsertOf<typeof screening>['criteria'];

/** Result of a search, with the settings and versions on which it rests. */
interface Search {
  readonly found: readonly FoundHit[];
  readonly truncated: boolean;
  readonly durationMs: number;
  readonly criteria: Criteria;
  readonly profileVersion: number;
  /** Lines of the profile for the kind of subject. */
  readonly lines: Lines;
  /** Searched versions of public lists. */
  readonly published: readonly ListVersion[];
  readonly searched: readonly SearchedList[];
}

const NOTHING: FoundHits = { hits: [], isTruncated: false };

/** Searches the lists that the order selects, and the own list of the tenant. */
export async function searchFor(
  { tx, tenantId, now }: Screener,
  lists: LoadedLists,
  order: ScreeningOrder,
): Promise<Search> {
  const { environment, subject } = order;
  const [{ version: profileVersion, rules }, active, own, simulated] = await Promise.all([
    readScreeningRules(tx, tenantId),
    activeVersions(tx, environment),
    ownList(tx, environment),
    simulatedEntries(tx, order),
  ]);
  const criteria = {
    dobToleranceYears: 0,
    includeRca: true,
    includeFormerPep: true,
    ...order.criteria,
  };
  const wanted = wantedLists(order, rules.defaultLists, { active, own });
  const ownWanted = wanted.has(OWN_LIST) ? own : null;
  const set = lists.ready(environment, active);
  const lines = linesFor(subject, rules.profile);
  const startedAt = performance.now();
  const search = {
    wanted,
    subject,
    criteria,
    lines: linesAt(lines, criteria.threshold),
    now,
  };
  const ownName = ownWanted === null ? null : lists.own.ready(tenantId, ownWanted);
  // Both searches start at once, because an index that is ready now may be dropped for another one a moment later.
  const [inPublic, inOwn] = await Promise.all([
    searchLists(lists.engine, {
      ...search,
      name: environment,
      lists: set.versions.map(({ listId }) => listId),
      simulated,
    }),
    // The rarity of a word is taken from the public lists, because an own list has too few entries.
    ownName === null
      ? NOTHING
      : searchLists(lists.own.engine, {
          ...search,
          name: ownName,
          weighedBy: environment,
          lists: [OWN_LIST],
        }),
  ]);
  const { hits: found, isTruncated: truncated } = mergeFound(inPublic, inOwn);
  const durationMs = Math.round(performance.now() - startedAt);
  const published = asChecked(set.versions, active).filter(({ listId }) => wanted.has(listId));
  return {
    found,
    truncated,
    durationMs,
    criteria,
    profileVersion,
    lines,
    published,
    searched: searchedLists(published, ownWanted),
  };
}

/** Merges the results of two searches as if they had been one. */
function mergeFound(one: FoundHits, other: FoundHits): FoundHits {
  const hits = [...one.hits, ...other.hits].sort((a, b) => b.score - a.score);
  return {
    hits: hits.slice(0, MOST_HITS),
    isTruncated: one.isTruncated || other.isTruncated || hits.length > MOST_HITS,
  };
}

/**
 * Returns loaded versions as they are stored now, because the time of the last check of a list changes without a new
 * version.
 */
function asChecked(loaded: readonly ListVersion[], active: readonly ListVersion[]): ListVersion[] {
  return loaded.map(
    (version) =>
      active.find(({ listId, sequence }) => listId === version.listId && sequence === version.sequence) ?? version,
  );
}

function searchedLists(published: readonly ListVersion[], own: OwnListVersion | null): SearchedList[] {
  const searched: SearchedList[] = published.map(({ listId, version, sequence, publishedOn }) => ({
    listId,
    version,
    sequence,
    publishedOn,
  }));
  if (own === null) return searched;
  const { version, sequence } = own;
  return [
    ...searched,
    {
      listId: OWN_LIST,
      version,
      sequence,
      publishedOn: null,
    },
  ];
}
