/**
 * Shows what a new file of a list, or a new release of the engine, would change for subjects that were screened before.
 * Exported by the index for the commands in scripts. Changes nothing, and names subjects only by their ids.
 */
import type { RealTime } from '../../base/time.ts';
import type { Database, Transaction } from '../../database/index.ts';
import { isSameScore } from '../../screening/engine/judgement.ts';
import { buildIndexes, type IndexPart, ScreeningEngine } from '../../screening/engine/screening-engine.ts';
import { forEachTenant } from '../../tasks/store.ts';
import { PUBLISHED_BOUNDS } from '../../screening/sources/list-bounds.ts';
import { readList } from '../../screening/sources/reading.ts';
import {
  activeVersions,
  documentsOf,
  isWatchList,
  type ListFiles,
  type ListVersion,
  type ReferredEntity,
  referredEntities,
  type ScreenedListId,
  type WatchListId,
} from '../watch-lists/index.ts';
import { newestOfEach } from './list-store.ts';
import { searchLists } from './search-lists.ts';
import { findScreening, type ScreeningRecord } from './store.ts';

/**
 * What a file, or a release, would change for a screened subject. Names the listed entity, and of the subject only
 * where to look.
 */
export interface PreviewedChange {
  readonly what: 'new' | 'lost' | 'changed';
  readonly tenantId: string;
  readonly screeningId: string;
  readonly listId: ScreenedListId;
  readonly entityKey: string;
  readonly entityName: string;
  readonly before: number | null;
  readonly after: number | null;
}

const PAGE = 200;
const NOBODY = '00000000-0000-0000-0000-000000000000';
type Report = (change: PreviewedChange) => void;

/**
 * Searches a list as it is and as a file would make it, for every subject that was screened against it. Returns the
 * number of screenings.
 */
export async function previewList(
  database: Database,
  list: ListFiles & { readonly listId: WatchListId },
  now: RealTime,
  report: Report,
): Promise<number> {
  await using engine = new ScreeningEngine();
  const lists = await useBoth(engine, database, list);
  return eachNewest(database, async (tenantId, record) => {
    if (!record.lists.some(({ listId }) => listId === list.listId)) return false;
    const [before, after] = await Promise.all(
      ['before', 'after'].map((name) => scoresIn({ engine, name, lists }, record, now)),
    );
    for (const change of changesBetween(before!, after!)) report({ ...change, tenantId, screeningId: record.id });
    return true;
  });
}

/**
 * Searches the current lists with the engine of this release, and compares the hits with the stored ones, which the
 * release of the last screening found. Ignores entities that have changed on the lists since, and scores after any list
 * has changed, because the difference need not come from the engine.
 */
export async function previewRelease(database: Database, now: RealTime, report: Report): Promise<number> {
  await using engine = new ScreeningEngine();
  const active = await database.platform({ tenantId: null, readOnly: true }, async (tx) => {
    const versions = (await activeVersions(tx, 'live')).sort((a, b) => (a.listId < b.listId ? -1 : 1));
    engine.use('now', await buildIndexes(addedFrom(documentsIn(tx, versions))));
    return versions;
  });
  return eachNewest(database, async (tenantId, record) => {
    const stored = await database.transaction({ tenantId, readOnly: true }, (tx) => findScreening(tx, record.id));
    if (stored === null || stored === 'erased') return false;
    const before = new Map(
      stored.hits
        .filter(({ listId }) => isWatchList(listId))
        .map(({ listId, entityKey, judgement, score }) => [
          `${listId} ${entityKey}`,
          {
            listId,
            entityKey,
            entityName: judgement.listedName.name,
            score,
          },
        ]),
    );
    const sequenceOf = (
      listId: ScreenedListId,
      of: readonly { readonly listId: string; readonly sequence: number }[],
    ): number => of.find((one) => one.listId === listId)?.sequence ?? 0;
    const isSame = record.lists.every(
      ({ listId, sequence }) => !isWatchList(listId) || sequenceOf(listId, active) === sequence,
    );
    const changes = changesBetween(
      before,
      await scoresIn({ engine, name: 'now', lists: active.map(({ listId }) => listId) }, record, now),
    ).filter(({ what }) => (what !== 'changed' || isSame) && (what !== 'new' || !record.truncated));
    const asThen = changes.map(({ listId, entityKey: key }) => ({
      listId,
      key,
      sequence: sequenceOf(listId, record.lists),
    }));
    const asNow = asThen.map((ref) => ({ ...ref, sequence: sequenceOf(ref.listId, active) }));
    const [then, today] = await database.platform({ tenantId: null, readOnly: true }, async (tx) => [
      await referredEntities(tx, 'live', asThen),
      await referredEntities(tx, 'live', asNow),
    ]);
    const fingerprintIn = (entities: readonly ReferredEntity[], { listId, entityKey }: Change): string | undefined =>
      entities.find((one) => one.listId === listId && one.key === entityKey)?.fingerprint;
    for (const change of changes) {
      const fingerprint = fingerprintIn(then!, change);
      if (fingerprint !== undefined && fingerprint === fingerprintIn(today!, change))
        report({ ...change, tenantId, screeningId: record.id });
    }
    return true;
  });
}

/**
 * Visits the newest live screening of every subject of all tenants that is not erased. Returns how many the visitor
 * counted.
 */
function eachNewest(
  database: Database,
  visit: (tenantId: string, record: ScreeningRecord) => Promise<boolean>,
): Promise<number> {
  return forEachTenant(database, new AbortController().signal, async ({ id: tenantId }) => {
    let count = 0;
    for (let after = NOBODY; ; ) {
      const rows = await database.transaction({ tenantId, readOnly: true }, (tx) => newestOfEach(tx, after, PAGE));
      for (const { record } of rows) if (record !== null && (await visit(tenantId, record))) count++;
      if (rows.length < PAGE) return count;
      after = rows.at(-1)!.subjectId;
    }
  });
}

/**
 * Builds two indexes. Both contain all lists, in the same order, because the rarity of a word follows from all of them.
 */
async function useBoth(
  engine: ScreeningEngine,
  database: Database,
  { listId: previewed, ...files }: ListFiles & { readonly listId: WatchListId },
): Promise<readonly WatchListId[]> {
  // The file is read before the transaction, because the database ends a transaction that is idle for a minute.
  const replacement: string[] = [];
  for await (const entities of readList({ ...files, bounds: PUBLISHED_BOUNDS }, {}))
    replacement.push(...entities.map(({ document }) => document));
  return database.platform({ tenantId: null, readOnly: true }, async (tx) => {
    const active = await activeVersions(tx, 'live');
    const lists = [...new Set([...active.map(({ listId }) => listId), previewed])].sort();
    async function* parts(replaced: WatchListId | null): AsyncGenerator<IndexPart> {
      for (const [list, listId] of lists.entries()) {
        if (listId === replaced) yield { list, documents: replacement };
        else
          for await (const { documents } of documentsIn(
            tx,
            active.filter((one) => one.listId === listId),
          ))
            yield { list, documents };
      }
    }
    engine.use('before', await buildIndexes(addedFrom(parts(null))));
    engine.use('after', await buildIndexes(addedFrom(parts(previewed))));
    return lists;
  });
}

const addedFrom =
  (parts: AsyncIterable<IndexPart>) =>
  async (add: (part: IndexPart) => void): Promise<void> => {
    for await (const part of parts) add(part);
  };

/** Yields the entities of some versions, each list by its index. */
async function* documentsIn(tx: Transaction, versions: readonly ListVersion[]): AsyncGenerator<IndexPart> {
  for (const [list, { listId, sequence }] of versions.entries())
    for await (const documents of documentsOf(tx, { environment: 'live', listId }, sequence)) yield { list, documents };
}

type Change = Omit<PreviewedChange, 'tenantId' | 'screeningId'>;
type Scores = ReadonlyMap<string, Pick<Change, 'listId' | 'entityKey' | 'entityName'> & { readonly score: number }>;

interface SearchedIndex {
  readonly engine: ScreeningEngine;
  readonly name: string;
  readonly lists: readonly WatchListId[];
}

/**
 * Returns what a search of a set finds for a screened subject, by the criteria and on the lists of the original
 * screening.
 */
async function scoresIn(
  { engine, name, lists }: SearchedIndex,
  { subject, criteria, lines, lists: searched }: ScreeningRecord,
  now: RealTime,
): Promise<Scores> {
  const { hits } = await searchLists(engine, {
    name,
    lists,
    wanted: new Set(searched.map(({ listId }) => listId)),
    subject,
    criteria,
    lines,
    now,
  });
  const scores = hits.map(({ listId, entity: { key: entityKey, names }, score }) => ({
    listId,
    entityKey,
    entityName: names[0]!.name,
    score,
  }));
  return new Map(scores.map((one) => [`${one.listId} ${one.entityKey}`, one]));
}

function whatHappened(was: object | undefined, is: object | undefined): Change['what'] {
  if (was === undefined) return 'new';
  return is === undefined ? 'lost' : 'changed';
}

function changesBetween(before: Scores, after: Scores): Change[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [was, is] = [before.get(key), after.get(key)];
    if (was !== undefined && is !== undefined && isSameScore(was.score, is.score)) return [];
    const { listId, entityKey, entityName } = (is ?? was)!;
    return [
      {
        what: whatHappened(was, is),
        listId,
        entityKey,
        entityName,
        before: was?.score ?? null,
        after: is?.score ?? null,
      },
    ];
  });
}
