import type { Database } from '../../database/index.ts';
import { buildIndexes, ScreeningEngine } from '../../screening/engine/screening-engine.ts';
import { forEachTenant } from '../../tasks/store.ts';
import { activeVersions, documentsOf, entitiesIn, type ListFiles, type WatchListId } from '../watch-lists/index.ts';
import { newestOfEach } from './list-store.ts';
import { searchLists } from './search-lists.ts';
import type { ScreeningRecord } from './store.ts';

/** What a file would change for somebody who was screened. It names whom the list has, and of the subject no more than where to look. */
export interface PreviewedChange {
  readonly what: 'new' | 'lost' | 'changed';
  readonly tenantId: string;
  readonly screeningId: string;
  readonly listId: WatchListId;
  readonly entityKey: string;
  readonly entityName: string;
  readonly before: number | null;
  readonly after: number | null;
}

const PAGE = 200;
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Searches a list as it is and as a file would make it, for everybody who was screened against it; how many screenings there were. */
export async function previewList(database: Database, list: ListFiles & { readonly listId: WatchListId }, now: Date, tell: (change: PreviewedChange) => void): Promise<number> {
  const engine = new ScreeningEngine();
  try {
    const lists = await useBoth(engine, database, list);
    return await forEachTenant(database, new AbortController().signal, async ({ id: tenantId }) => {
      let count = 0;
      for (let after = NOBODY; ;) {
        const rows = await database.transaction({ tenantId, readOnly: true }, (tx) => newestOfEach(tx, after, PAGE));
        for (const { record } of rows) {
          if (record === null || !record.lists.some(({ listId }) => listId === list.listId)) continue;
          count++;
          await compare(engine, lists, record, now, (change) => tell({ ...change, tenantId, screeningId: record.id }));
        }
        if (rows.length < PAGE) return count;
        after = rows.at(-1)!.subjectId;
      }
    });
  } finally {
    await engine.stop();
  }
}

/** Both sets hold all lists, because how rare a word is follows from all of them; the order of the lists is the same in both. */
async function useBoth(engine: ScreeningEngine, database: Database, { listId: previewed, ...files }: ListFiles & { readonly listId: WatchListId }): Promise<readonly WatchListId[]> {
  // The file is read first: a transaction that says nothing for a minute is ended by the database.
  const given: string[] = [];
  for await (const entity of entitiesIn(files, {})) given.push(JSON.stringify(entity));
  return database.platform({ tenantId: null, readOnly: true }, async (tx) => {
    const active = await activeVersions(tx, 'live');
    const lists = [...new Set([...active.map(({ listId }) => listId), previewed])].sort();
    async function* parts(replaced: WatchListId | null): AsyncGenerator<{ readonly list: number; readonly documents: readonly string[] }> {
      for (const [list, listId] of lists.entries()) {
        const version = active.find((one) => one.listId === listId);
        if (listId === replaced) yield { list, documents: given };
        else if (version !== undefined) for await (const documents of documentsOf(tx, { environment: 'live', listId }, version.sequence)) yield { list, documents };
      }
    }
    engine.use('before', await buildIndexes(parts(null)));
    engine.use('after', await buildIndexes(parts(previewed)));
    return lists;
  });
}

type Change = Omit<PreviewedChange, 'tenantId' | 'screeningId'>;

async function compare(engine: ScreeningEngine, lists: readonly WatchListId[], { subject, criteria, lists: searched }: ScreeningRecord, now: Date, tell: (change: Change) => void): Promise<void> {
  const search = { lists, wanted: new Set(searched.map(({ listId }) => listId)), subject, criteria, now };
  const [was, is] = await Promise.all(['before', 'after'].map(async (name) => new Map((await searchLists(engine, { ...search, name })).hits.map((hit) => [`${hit.listId} ${hit.entity.key}`, hit]))));
  for (const key of new Set([...was!.keys(), ...is!.keys()])) {
    const [before, after] = [was!.get(key), is!.get(key)];
    if (before !== undefined && after !== undefined && Math.abs(before.score - after.score) <= 1e-9) continue;
    const what = before === undefined ? 'new' : after === undefined ? 'lost' : 'changed';
    tell({ what, listId: (after ?? before)!.listId, entityKey: (after ?? before)!.entity.key, entityName: (after ?? before)!.entity.names[0]!.name, before: before?.score ?? null, after: after?.score ?? null });
  }
}
