/**
 * The available lists and their age. Used by the handlers, screenings and the alarm, and exported by the index. A list
 * counts as stale by the time of its last check, not of its last change.
 */
import { HOUR_SECONDS, type RealTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import { ownerOf, ownList } from '../own-lists/index.ts';
import {
  activeVersions,
  isPublicationOld,
  type ListVersion,
  OWN_LIST,
  type ScreenedListId,
  WATCH_LISTS,
  type WatchListId,
  watchListOf,
} from '../watch-lists/index.ts';

type ScreeningList = components['schemas']['ScreeningList'];

/**
 * Returns whether the last check for a newer version is too long ago. The lists of the sandbox are part of the release
 * and have no publisher.
 */
export function isStale(
  {
    environment,
    listId,
    checkedAt,
  }: Pick<ListVersion, 'environment' | 'checkedAt'> & { readonly listId: ScreenedListId },
  now: RealTime,
): boolean {
  const { staleAfterHours } = watchListOf(listId);
  return (
    environment === 'live' &&
    staleAfterHours !== null &&
    now.getTime() - Date.parse(checkedAt) >= staleAfterHours * HOUR_SECONDS * 1000
  );
}

/** Returns all lists with an importer, the mandatory ones first. */
export async function screeningLists(
  tx: Transaction,
  environment: Environment,
  now: RealTime,
): Promise<ScreeningList[]> {
  const active = await activeVersions(tx, environment);
  return (Object.keys(WATCH_LISTS) as WatchListId[])
    .map((id) => listOf(id, active.find(({ listId }) => listId === id) ?? null, now))
    .sort((a, b) => Number(b.mandatory) - Number(a.mandatory));
}

/** Returns the tenant's own list, or null if there is none. */
export async function ownScreeningList(
  tx: Transaction,
  environment: Environment,
  now: RealTime,
): Promise<ScreeningList | null> {
  const [version, publisher] = await Promise.all([ownList(tx, environment), ownerOf(tx)]);
  return version === null
    ? null
    : { ...listOf(OWN_LIST, { ...version, publishedOn: null, quarantinedNames: 0 }, now), publisher };
}

type Shown = Pick<
  ListVersion,
  | 'environment'
  | 'version'
  | 'publishedOn'
  | 'ingestedAt'
  | 'checkedAt'
  | 'entryCount'
  | 'sha256'
  | 'added'
  | 'changed'
  | 'matchChanged'
  | 'removed'
  | 'quarantinedNames'
>;

function listOf(id: ScreenedListId, version: Shown | null, now: RealTime): ScreeningList {
  const { title, publisher, jurisdiction, category, isMandatory, staleAfterHours, usualDays } = watchListOf(id);
  const of = {
    id,
    title,
    publisher,
    jurisdiction,
    category,
    mandatory: isMandatory,
    staleAfterHours,
    usualDays,
  };
  if (version === null)
    return {
      ...of,
      version: null,
      publishedOn: null,
      ingestedAt: null,
      checkedAt: null,
      entryCount: null,
      sha256: null,
      isStale: true,
      isPublicationOld: false,
      quarantinedNames: null,
      lastChange: null,
    };
  const {
    publishedOn,
    ingestedAt,
    checkedAt,
    entryCount,
    sha256,
    quarantinedNames,
    added,
    changed,
    matchChanged,
    removed,
  } = version;
  return {
    ...of,
    version: version.version,
    publishedOn,
    ingestedAt,
    checkedAt,
    entryCount,
    sha256,
    isStale: isStale({ ...version, listId: id }, now),
    isPublicationOld: isPublicationOld({ ...version, listId: id }, now),
    quarantinedNames,
    lastChange: {
      added,
      changed,
      matchChanged,
      removed,
    },
  };
}
