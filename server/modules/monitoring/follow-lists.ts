import type { Logger } from '../../base/log.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Database } from '../../database/index.ts';
import type { ListedEntity } from '../../screening/listed-entity.ts';
import { forEachTenant } from '../../tasks/store.ts';
import type { LoadedLists } from '../screenings/index.ts';
import { askForRun } from '../subscriptions/index.ts';
import { activeVersions, deltaOf, type ListVersion, type WatchListId } from '../watch-lists/index.ts';
import { hitsOf, listsFollowed, markFollowed } from './followed-store.ts';
import type { MonitoredSubjects } from './monitored-subjects.ts';

interface Following {
  readonly database: Database;
  readonly watchLists: LoadedLists;
  readonly monitored: MonitoredSubjects;
  readonly clock: () => Date;
  readonly log: Pick<Logger, 'info'>;
}

/** A list that has another version than the one by which everybody was looked at last. */
interface Behind {
  readonly version: ListVersion;
  readonly since: number;
}

/** Lets everybody whom the new versions of lists may concern be screened again; how many runs were asked for. */
export async function followLists(following: Following, signal: AbortSignal): Promise<number> {
  let sum = 0;
  for (const environment of ['live', 'sandbox'] as const) sum += await followIn(environment, following, signal);
  return sum;
}

async function followIn(environment: Environment, { database, watchLists, monitored, clock, log }: Following, signal: AbortSignal): Promise<number> {
  const [active, followed] = await database.platform({ tenantId: null, readOnly: true }, (tx) => Promise.all([activeVersions(tx, environment), listsFollowed(tx, environment)]));
  const behind = active.map((version): Behind => ({ version, since: followed.get(version.listId) ?? 0 })).filter(({ version, since }) => version.sequence !== since);
  // Runs would be done by lists that are not there yet: the next round finds them loaded.
  if (behind.length === 0 || !watchLists.isCurrent(environment, active)) return 0;
  const begun = performance.now();
  const changes = await changesOf(database, environment, behind);
  const affected = Map.groupBy(await monitored.affected(environment, changes.entities, clock(), signal), (key) => key.split(' ')[0]!);
  const sum = await forEachTenant(database, signal, ({ id: tenantId }) => database.transaction({ tenantId }, async (tx) => {
    const ids = new Set((affected.get(tenantId) ?? []).map((key) => key.split(' ')[1]!));
    for (const id of await hitsOf(tx, environment, changes.earlier)) ids.add(id);
    return ids.size === 0 ? 0 : askForRun(tx, [...ids], 'list_updated', clock());
  }));
  // A process that ends before this begins anew with the next round, and asks for no run twice that waits already.
  if (signal.aborted) return sum;
  await database.platform({ tenantId: null }, async (tx) => {
    for (const { version: { listId, sequence } } of behind) markFollowed(tx, { environment, listId, sequence, doneAt: clock() });
  });
  log.info({ environment, lists: behind.map(({ version }) => version.listId), entities: changes.entities.length, runs: sum, milliseconds: Math.round(performance.now() - begun) }, 'new versions of watch lists were followed');
  return sum;
}

interface Changes {
  /** As they are now. */
  readonly entities: readonly ListedEntity[];
  /** Those that were on the list before, by list. */
  readonly earlier: ReadonlyMap<WatchListId, readonly string[]>;
}

/** Everything by which names are judged otherwise since: what came and went between the two is not in it. */
function changesOf(database: Database, environment: Environment, behind: readonly Behind[]): Promise<Changes> {
  return database.platform({ tenantId: null, readOnly: true }, async (tx) => {
    const entities: ListedEntity[] = [];
    const earlier = new Map<WatchListId, string[]>();
    for (const { version: { listId, sequence }, since } of behind) {
      for await (const { key, before, after, isMatchRelevant } of deltaOf(tx, { environment, listId }, sequence, since)) {
        if (!isMatchRelevant) continue;
        if (after !== null) entities.push(after);
        if (before !== null) earlier.set(listId, [...earlier.get(listId) ?? [], key]);
      }
    }
    return { entities, earlier };
  });
}
