/**
 * Finds whom new versions of watch lists concern, and queues their runs. Called by the job `monitoring.lists`. A tenant
 * that cannot be checked is retried and does not stop the others; a version counts as followed only after its runs are
 * queued, or a new sanction could be missed.
 */
import { canonicalJson } from '../../base/canonical-json.ts';
import type { Logger } from '../../base/log.ts';
import type { Environment } from '../../contract/operation.ts';
import { type Database, DatabaseUnavailable } from '../../database/index.ts';
import type { ListedEntity } from '../../screening/listed-entity.ts';
import type { LoadedLists } from '../screenings/index.ts';
import { requestRun } from '../subscriptions/index.ts';
import { activeVersions, deltaOf, type ListVersion, type WatchListId } from '../watch-lists/index.ts';
import {
  hitsOf,
  markFollowed,
  type Sequences,
  sequencesOf,
  type TenantBehind,
  tenantsBehind,
} from './followed-store.ts';
import { type Affected, type MonitoredSubjects, NOBODY } from './monitored-subjects.ts';

interface Following {
  readonly database: Database;
  readonly watchLists: LoadedLists;
  readonly monitored: MonitoredSubjects;
  readonly clock: () => Date;
  readonly log: Pick<Logger, 'info'>;
}

/**
 * Queues a run for every subscription that new versions of lists may concern, and returns how many. Each tenant is
 * followed separately, from the versions by which its subscriptions were last checked. Whatever has prevented a check
 * (a suspension, a failure, a stopped process), the changes since then are checked once it is over. A tenant that fails
 * does not stop the others; its failure is thrown at the end.
 */
export async function followLists(following: Following, signal: AbortSignal): Promise<number> {
  let sum = 0;
  const failures: unknown[] = [];
  for (const environment of ['live', 'sandbox'] as const)
    sum += await followIn(following, { environment, signal, failures });
  if (failures.length > 0)
    throw new Error(`new versions of watch lists could not be followed for ${failures.length} tenants`, {
      cause: failures[0],
    });
  return sum;
}

/** Following the lists of one environment once. */
interface Round {
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** Failures of tenants, which are added here. */
  readonly failures: unknown[];
}

async function followIn(following: Following, round: Round): Promise<number> {
  const { environment, signal } = round;
  const { database, watchLists, log } = following;
  const [active, behind] = await database.platform({ tenantId: null, readOnly: true }, async (tx) => {
    const versions = await activeVersions(tx, environment);
    return [versions, await tenantsBehind(tx, environment, sequencesOf(versions))] as const;
  });
  // Runs would use lists that are not loaded yet. The next round finds them loaded.
  if (behind.length === 0 || !watchLists.isCurrent(environment, active)) return 0;
  const startedAt = performance.now();
  let sum = 0;
  // Nearly always all tenants have followed the same versions, so there is one group.
  for (const group of Map.groupBy(behind, ({ sequences }) => canonicalJson({ ...sequences })).values()) {
    if (signal.aborted) break;
    sum += await followFor(group, active, following, round);
  }
  log.info(
    {
      environment,
      tenants: behind.length,
      runs: sum,
      milliseconds: Math.round(performance.now() - startedAt),
    },
    'new versions of watch lists were followed',
  );
  return sum;
}

/**
 * Follows the lists for tenants that have followed the same versions. A tenant that fails is not marked, and is retried
 * in the next round.
 */
async function followFor(
  tenants: readonly TenantBehind[],
  active: readonly ListVersion[],
  { database, monitored, clock }: Following,
  { environment, signal, failures }: Round,
): Promise<number> {
  const { sequences: from } = tenants[0]!;
  const changes = await changesOf(database, environment, from, active);
  const affected =
    changes.entities.length === 0 ? NOBODY : await monitored.affected(environment, changes.entities, clock(), signal);
  let sum = 0;
  for (const { tenantId } of tenants) {
    // If a process ends before it has marked a tenant, the next one repeats that tenant, and does not queue a run that
    // waits already.
    if (signal.aborted) break;
    try {
      if (affected.failed.has(tenantId)) throw affected.failed.get(tenantId);
      sum += await database.transaction({ tenantId }, async (tx) => {
        const ids = new Set([
          ...subscriptionsIn(affected, tenantId),
          ...(await hitsOf(tx, environment, changes.earlier)),
        ]);
        const queued = ids.size === 0 ? 0 : await requestRun(tx, [...ids], 'list_updated', clock());
        await markFollowed(tx, environment, { from, to: sequencesOf(active) }, clock());
        return queued;
      });
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      failures.push(error);
    }
  }
  return sum;
}

/**
 * Returns the affected subscriptions of a tenant, including those that cannot be read: their run records the failure
 * visibly, and is retried.
 */
const subscriptionsIn = ({ found, unreadable }: Affected, tenantId: string): readonly string[] => [
  ...(found.get(tenantId) ?? []),
  ...(unreadable.get(tenantId) ?? []),
];

interface Changes {
  /** Entities in their current form. */
  readonly entities: readonly ListedEntity[];
  /** Keys of the entities that were on the list before, by list. */
  readonly earlier: ReadonlyMap<WatchListId, readonly string[]>;
}

/**
 * Returns every change since the followed versions that affects the judgement of names, without entities that came and
 * went in between. A list that the tenant has never followed was not part of any comparison, so the affected
 * subscriptions are due anyway (`comparison-store.ts`).
 */
function changesOf(
  database: Database,
  environment: Environment,
  from: Sequences,
  active: readonly ListVersion[],
): Promise<Changes> {
  return database.platform({ tenantId: null, readOnly: true }, async (tx) => {
    const entities: ListedEntity[] = [];
    const earlier = new Map<WatchListId, string[]>();
    for (const { listId, sequence } of active) {
      const since = from[listId];
      if (since === undefined || since === sequence) continue;
      for await (const { key, before, after, isMatchRelevant } of deltaOf(
        tx,
        { environment, listId },
        sequence,
        since,
      )) {
        if (!isMatchRelevant) continue;
        if (after !== null) entities.push(after);
        if (before !== null) earlier.set(listId, [...(earlier.get(listId) ?? []), key]);
      }
    }
    return { entities, earlier };
  });
}
