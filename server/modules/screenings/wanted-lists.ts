/**
 * Which lists a screening searches, without input or output: those of the request, or the usual ones. Used by
 * search-for-screening.ts. Refuses unknown lists, lists without an imported version, and leaving out a mandatory list.
 */
import { type FieldError, Problem } from '../../contract/problem.ts';
import type { OwnListVersion } from '../own-lists/index.ts';
import {
  isScreened,
  isWatchList,
  type ListVersion,
  OWN_LIST,
  type ScreenedListId,
  WATCH_LISTS,
  watchListOf,
} from '../watch-lists/index.ts';

/** Selection of lists by a request. */
export interface ListChoice {
  /** Lists that the request names; the usual ones if it names none. */
  readonly lists: readonly string[] | undefined;
  /** True unless the request leaves the own list out. */
  readonly withOwn: boolean;
}

/** Available lists. */
interface AvailableLists {
  readonly active: readonly ListVersion[];
  readonly own: OwnListVersion | null;
}

/** Selects the lists to search. Rejects a request for a list that was never imported. */
export function wantedLists(
  { lists: given, withOwn }: ListChoice,
  usual: readonly string[],
  { active, own }: AvailableLists,
): ReadonlySet<ScreenedListId> {
  assertKnown(given ?? []);
  const wanted = new Set((given ?? usual).filter(isScreened));
  if (withOwn && own !== null) wanted.add(OWN_LIST);
  assertMandatory(wanted);
  const missing = [...wanted].filter((id) =>
    id === OWN_LIST ? own === null : !active.some(({ listId }) => listId === id),
  );
  if (missing.length > 0)
    throw new Problem('provider_not_configured', {
      detail: `No version of these lists was imported: ${missing.join(', ')}.`,
    });
  return wanted;
}

function assertKnown(ids: readonly string[]): void {
  const message = `must be one of ${[...Object.keys(WATCH_LISTS), OWN_LIST].join(', ')}`;
  const unknown = ids.flatMap((id, index): FieldError[] =>
    isScreened(id) ? [] : [{ pointer: `/lists/${index}`, code: 'unknown_list', message }],
  );
  if (unknown.length > 0) throw new Problem('unknown_list', { errors: unknown });
}

function assertMandatory(wanted: ReadonlySet<ScreenedListId>): void {
  const left = Object.keys(WATCH_LISTS)
    .filter(isWatchList)
    .filter((id) => watchListOf(id).isMandatory && !wanted.has(id));
  if (left.length > 0)
    throw new Problem('mandatory_list_excluded', {
      errors: [{ pointer: '/lists', code: 'mandatory', message: `must include ${left.join(', ')}` }],
    });
}
