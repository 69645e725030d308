/**
 * Searches loaded lists with the engine and keeps what counts as a hit by the lines and criteria. Used by screenings
 * and previews. At most 200 hits are returned; more are reported as truncated, and then a screening cannot be clear.
 */
import type { RealTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { ScreeningEngine } from '../../screening/engine/screening-engine.ts';
import type { Found } from '../../screening/engine/search.ts';
import { type ScreenedListId, watchListOf } from '../watch-lists/index.ts';
import { alertsOf, leastAlert, type Lines } from './bands.ts';
import type { ScreenedSubject } from './store.ts';
import type { SimulatedEntry } from './simulated-entry-store.ts';
import { searchedSubject } from './subject.ts';

type Schemas = components['schemas'];

/** Limit of hits in a response. */
export const MOST_HITS = 200;

interface Search {
  /** Name of the lists in the engine, and the lists themselves, in their order. */
  readonly name: string;
  readonly lists: readonly ScreenedListId[];
  readonly wanted: ReadonlySet<ScreenedListId>;
  /** Name of the lists that determine the rarity of a word; by default the searched lists. */
  readonly weighedBy?: string;
  readonly subject: ScreenedSubject;
  readonly criteria: Omit<Schemas['ScreeningCriteria'], 'threshold'>;
  readonly lines: Lines;
  readonly now: RealTime;
  readonly simulated?: readonly SimulatedEntry[];
}

export interface FoundHit extends Found {
  readonly listId: ScreenedListId;
  readonly category: Schemas['HitCategory'];
}

export interface FoundHits {
  readonly hits: readonly FoundHit[];
  readonly isTruncated: boolean;
}

/**
 * Returns the hits on the wanted lists that count by the lines and the criteria, the highest score first, and whether
 * there are more than a response shows.
 */
export async function searchLists(
  engine: ScreeningEngine,
  { name, lists, wanted, weighedBy = name, subject, criteria, lines, now, simulated = [] }: Search,
): Promise<FoundHits> {
  const { hits, isTruncated } = await engine.search({
    name,
    weighedBy,
    most: MOST_HITS,
    subject: searchedSubject(subject),
    options: {
      threshold: leastAlert(lines),
      rules: lists.map((listId) =>
        wanted.has(listId)
          ? {
              needsConfirmation: watchListOf(listId).needsConfirmation === true,
              dobToleranceYears: criteria.dobToleranceYears,
            }
          : undefined,
      ),
      beside: simulated.map(({ listId, entity }) => ({ list: lists.indexOf(listId), entity })),
      counting: {
        categories: lists.map((listId) => watchListOf(listId).category),
        inOfficeOn: criteria.includeFormerPep ? null : now.toISOString().slice(0, 10),
        alert: { ...alertsOf(lines), ...(!criteria.includeRca && { rca: Number.POSITIVE_INFINITY }) },
      },
    },
  });
  return {
    isTruncated,
    hits: hits.map((hit): FoundHit => {
      const listId = lists[hit.list]!;
      return { ...hit, listId, category: hit.entity.category ?? watchListOf(listId).category };
    }),
  };
}
