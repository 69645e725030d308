/**
 * Release of a newer matching algorithm: a rehearsal counts the hits that it would bring, and a compliance officer
 * releases it. Called by the handlers and dates.ts; the task is registered by the index. Each rehearsed run is rolled
 * back, so it must have no effect outside its transaction. Refused while the rehearsal is not complete.
 */
import type { RealTime } from '../../base/time.ts';
import { isDeepStrictEqual } from 'node:util';
import type { components } from '../../contract/generated/types.ts';
import { actorOf, type Environment } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import { type Database, DatabaseUnavailable, type Transaction } from '../../database/index.ts';
import type { Context } from '../../request/handler.ts';
import { ALGORITHM } from '../../screening/engine/screening-engine.ts';
import { timeIn } from '../../tasks/business-time-store.ts';
import { enqueueTask, enqueueTaskOnce, type TaskKind } from '../../tasks/task.ts';
import { findReadable } from '../applications/index.ts';
import { type LoadedLists, rescreen } from '../screenings/index.ts';
import { findSubscription, MONITORING } from '../subscriptions/index.ts';
import { COMPARISON_CHANGED } from '../tenant-settings/index.ts';
import { activeVersions } from '../watch-lists/index.ts';
import {
  countRehearsals,
  findRelease,
  isReleased,
  keepRelease,
  lockRelease,
  nextRehearsal,
  noteRehearsal,
} from './algorithm-store.ts';
import { alertsOfRun } from './current-hits-store.ts';
import { followedBy, sequencesOf } from './followed-store.ts';

type Schemas = components['schemas'];

/**
 * Delay of a rehearsal while new versions of lists are being followed. They come first, so that their effect is not
 * attributed to the algorithm.
 */
const FOLLOWING_MILLISECONDS = 1_000;

const REHEARSE = { name: 'monitoring.rehearse' } as const;

/**
 * Rehearses, one applicant after another, the runs that a release of the present algorithm would cause. Each run is
 * done in a transaction that is rolled back, so the counts are exact. Runs for other reasons in the meantime are real
 * and raise alerts.
 */
export const rehearseTask: TaskKind<{ readonly database: Database; readonly watchLists: LoadedLists }> = {
  name: REHEARSE.name,
  step: async ({ tx, now }, services) => {
    for (const environment of ['live', 'sandbox'] as const) {
      const next = (await isReleased(tx, environment)) ? null : await nextRehearsal(tx, environment);
      if (next === null) continue;
      const active = await activeVersions(tx, environment);
      if (
        !services.watchLists.isCurrent(environment, active) ||
        !isDeepStrictEqual(await followedBy(tx, environment), sequencesOf(active))
      )
        return FOLLOWING_MILLISECONDS;
      noteRehearsal(tx, next.id, await newHits(services, tx.tenantId!, next, now));
      return 0;
    }
    return null;
  },
  // If the task fails for good, the periodic job starts it again.
  giveUp: async () => {},
};

/** Queues a rehearsal if an algorithm waits for its release, so that the effect of the release is known. */
export async function considerRehearsal(tx: Transaction, environment: Environment, now: RealTime): Promise<void> {
  if (!(await isReleased(tx, environment)) && (await nextRehearsal(tx, environment)) !== null)
    await enqueueTaskOnce(tx, { ...REHEARSE, isBulk: true }, tx.tenantId!, now);
}

class RolledBack extends Error {
  readonly newHits: number;
  constructor(newHits: number) {
    super('a rehearsal is rolled back');
    this.newHits = newHits;
  }
}

/** Returns how many open hits without an alert a run would find, or null if the applicant cannot be screened. */
async function newHits(
  { database, watchLists }: { readonly database: Database; readonly watchLists: LoadedLists },
  tenantId: string,
  { id, applicationId }: { readonly id: string; readonly applicationId: string },
  now: RealTime,
): Promise<number | null> {
  try {
    return await database.transaction({ tenantId }, async (tx) => {
      const [subscription, application] = await Promise.all([
        findSubscription(tx, id),
        findReadable(tx, { tenantId, id: applicationId }),
      ]);
      if (
        subscription === null ||
        application === null ||
        application === 'unreadable' ||
        application.erasedAt !== null
      )
        return null;
      const screened = await rescreen(
        {
          tx,
          tenantId,
          by: MONITORING,
          at: await timeIn(tx, subscription.environment, now),
          now,
        },
        watchLists,
        application,
      );
      const alerts = await alertsOfRun(tx, applicationId, screened.id);
      throw new RolledBack(alerts.filter(({ isNew, hitId }) => isNew && hitId !== null).length);
    });
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    return error instanceof RolledBack ? error.newHits : null;
  }
}

/** Returns the algorithm of the runs, and what the present one would change. */
export async function algorithmState(
  tx: Transaction,
  environment: Environment,
): Promise<Schemas['MonitoringAlgorithm']> {
  const [release, rehearsals] = await Promise.all([findRelease(tx, environment), countRehearsals(tx, environment)]);
  const { released, ...by } = release ?? {
    released: ALGORITHM,
    releasedAt: null,
    releasedBy: null,
    note: null,
  };
  return {
    algorithmVersion: ALGORITHM,
    releasedVersion: released,
    ...by,
    ...rehearsals,
  };
}

/** Releases the present algorithm for all runs, once the rehearsal has shown how many new hits it brings. */
export async function releaseAlgorithm({
  tx,
  principal,
  environment,
  body: { algorithmVersion, note },
  now,
  timeIn,
}: Context<'releaseAlgorithm'>): Promise<Schemas['MonitoringAlgorithm']> {
  if (algorithmVersion !== ALGORITHM)
    throw new Problem('validation_failed', {
      errors: [
        {
          pointer: '/algorithmVersion',
          code: 'unknown',
          message: `must be ${ALGORITHM}, the algorithm of this release`,
        },
      ],
    });
  const release = await lockRelease(tx, environment);
  if (release === null || release.released === ALGORITHM) throw new Problem('algorithm_released');
  if ((await countRehearsals(tx, environment)).pending > 0)
    throw new Problem('rehearsal_running', { retryable: true, retryAfter: 5 });
  await keepRelease(tx, environment, { at: timeIn(environment), by: actorOf(principal), note });
  enqueueTask(tx, COMPARISON_CHANGED, principal.tenantId, now);
  return algorithmState(tx, environment);
}
