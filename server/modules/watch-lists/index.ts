/**
 * The watch lists that names are screened against, as they were published, version after version. Lists are reference
 * data: no tenant owns them and every tenant reads them. `catalogue.ts` defines the available lists; a version is
 * imported from a file (`import-list.ts`), whole or not at all, and `roll-back.ts` makes an earlier version active
 * again. The database stores the file, byte by byte, and every state of each entity with its range of versions, so that
 * a result can be explained years later and the difference between two versions is one query (`deltaOf`).
 * `fetch-lists.ts` fetches lists from the addresses that the operator configures (`list-sources.ts`).
 *
 * The module uses the layer `screening`, which reads the files, and no other module.
 *
 * One import: `scripts/watch-lists.ts` passes a file of OFAC. In one transaction of the platform the importer reads the
 * file, entity by entity, compares the hash of each with the active one, writes those that differ, and judges the
 * result: too few entries, too many removed, older than the active version. Any doubt ends the transaction, and the
 * active version stays.
 */
import type { Module } from '../../tasks/module.ts';
import { fetchListsJob } from './fetch-lists.ts';

export {
  isPublicationOld,
  isScreened,
  isWatchList,
  OWN_LIST,
  type ScreenedListId,
  WATCH_LISTS,
  type WatchList,
  type WatchListId,
  watchListOf,
} from './catalogue.ts';
export {
  type Imported,
  importFiles,
  importList,
  tryLockList,
} from './import-list.ts';
export { type Candidate, type ImportOrder, type ListFiles } from './import-order.ts';
export { factsOf } from './list-events.ts';
export { ListRefused, type Refusal, SuspiciousShrink } from './plausibility.ts';
export { refusalOf } from './refusals.ts';
export { ListFetcher } from './fetch-lists.ts';
export { type ListSource, readListSources } from './list-sources.ts';
export { rollBack } from './roll-back.ts';
export { installShippedLists } from './shipped-lists.ts';
export {
  type Delta,
  deltaOf,
  documentsOf,
  type EntityRef,
  type ReferredEntity,
  referredEntities,
} from './entity-store.ts';
export { activeVersions, keepBeforeImport, type ListKey, type ListVersion, undoImport } from './store.ts';

export const watchListsModule = { name: 'watch-lists', jobs: [fetchListsJob] } satisfies Module<never>;
