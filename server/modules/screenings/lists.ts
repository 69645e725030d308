import { HOUR_SECONDS } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import { activeVersions, type ListVersion, WATCH_LISTS, type WatchListId, watchListOf } from '../watch-lists/index.ts';

type ScreeningList = components['schemas']['ScreeningList'];

/** Nobody has looked for so long whether the publisher has a newer one. The lists of the sandbox are shipped, and have no publisher. */
export function isStale({ environment, listId, checkedAt }: Pick<ListVersion, 'environment' | 'listId' | 'checkedAt'>, now: Date): boolean {
  return environment === 'live' && now.getTime() - Date.parse(checkedAt) >= watchListOf(listId).staleAfterHours * HOUR_SECONDS * 1000;
}

/** All lists that there are importers for, the mandatory ones first. */
export async function screeningLists(tx: Transaction, environment: Environment, now: Date): Promise<ScreeningList[]> {
  const active = await activeVersions(tx, environment);
  return (Object.keys(WATCH_LISTS) as WatchListId[])
    .map((id) => listOf(id, active.find(({ listId }) => listId === id) ?? null, now))
    .sort((a, b) => Number(b.mandatory) - Number(a.mandatory));
}

function listOf(id: WatchListId, version: ListVersion | null, now: Date): ScreeningList {
  const { title, publisher, jurisdiction, category, isMandatory, staleAfterHours } = watchListOf(id);
  const of = { id, title, publisher, jurisdiction, category, mandatory: isMandatory, staleAfterHours };
  if (version === null) return { ...of, version: null, publishedOn: null, ingestedAt: null, checkedAt: null, entryCount: null, sha256: null, isStale: true, lastChange: null };
  const { publishedOn, ingestedAt, checkedAt, entryCount, sha256, added, changed, matchChanged, removed } = version;
  return { ...of, version: version.version, publishedOn, ingestedAt, checkedAt, entryCount, sha256, isStale: isStale(version, now), lastChange: { added, changed, matchChanged, removed } };
}
