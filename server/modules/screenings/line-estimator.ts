/**
 * Estimates what each line finds on the loaded lists, once for each set of their versions. Created when the process
 * starts; its periodic job is registered by the index. The job only starts the estimate, because a round that takes a
 * minute would delay all other periodic work.
 */
import { createHash } from 'node:crypto';
import type { Log } from '../../base/log.ts';
import { addMilliseconds, DAY_MILLISECONDS, MINUTE_SECONDS, type RealTime } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Database } from '../../database/index.ts';
import { ESTIMATE_FORMAT, type EstimateLimits } from '../../screening/engine/estimate.ts';
import { estimateInThread } from '../../screening/engine/estimating.ts';
import { ALGORITHM } from '../../screening/engine/screening-engine.ts';
import type { Job, JobServices } from '../../tasks/job.ts';
import { activeVersions, type ListVersion, watchListOf } from '../watch-lists/index.ts';
import { hasEstimate, storeEstimate } from './estimate-store.ts';
import { type LoadedLists, type LoadedSet, setOf } from './loaded-lists.ts';

const ENVIRONMENTS: readonly Environment[] = ['live', 'sandbox'];

/** Names and processor time of one estimate: two minutes at most, and a quarter of that on lists of usual size. */
const LIMITS: EstimateLimits = {
  people: 6_000,
  companies: 3_000,
  aliases: 400,
  milliseconds: 20_000,
};

/** How long an estimate of earlier lists is kept. */
const KEPT_DAYS = 30;

/** Returns the name of the estimate of these lists by this release. */
export const estimateKey = (active: readonly ListVersion[]): string =>
  createHash('sha256')
    .update(`${setOf(active).key} ${ESTIMATE_FORMAT}`)
    .digest('hex')
    .slice(0, 24);

interface Dependencies {
  readonly database: Database;
  readonly lists: Pick<LoadedLists, 'current'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly clock: () => RealTime;
  readonly limits?: EstimateLimits | undefined;
}

export type { EstimateLimits };

/** Runs at most one estimate at a time, and each at most once, so that one that fails does not fail every minute. */
export class LineEstimator {
  readonly #given: Dependencies;
  readonly #stopping = new AbortController();
  readonly #attempted = new Set<string>();
  #running: Promise<void> | null = null;

  constructor(given: Dependencies) {
    this.#given = given;
  }

  /** Starts the next missing estimate in the background. Returns how many were started. */
  async refresh(): Promise<number> {
    for (const environment of ENVIRONMENTS) {
      if (this.#running !== null || this.#stopping.signal.aborted) return 0;
      if (await this.#start(environment)) return 1;
    }
    return 0;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #start(environment: Environment): Promise<boolean> {
    const { database, lists } = this.#given;
    const { active, isThere } = await database.platform({ tenantId: null, readOnly: true }, async (tx) => {
      const versions = await activeVersions(tx, environment);
      return { active: versions, isThere: await hasEstimate(tx, environment, estimateKey(versions)) };
    });
    const key = estimateKey(active);
    if (active.length === 0 || isThere || this.#attempted.has(`${environment} ${key}`)) return false;
    // Lists that are still being loaded are estimated in a later round.
    const set = lists.current(environment, active);
    if (set === null) return false;
    this.#attempted.add(`${environment} ${key}`);
    this.#running = this.#estimate(environment, key, set)
      .catch((error: unknown) => this.#failed(environment, error))
      .finally(() => (this.#running = null));
    return true;
  }

  async #estimate(environment: Environment, key: string, { versions, indexes }: LoadedSet): Promise<void> {
    const { database, log, clock, limits = LIMITS } = this.#given;
    const startedAt = performance.now();
    const counts = await estimateInThread(
      {
        indexes,
        limits,
        lists: versions.map(({ listId }) => {
          const { category, needsConfirmation = false } = watchListOf(listId);
          return { category, rules: { needsConfirmation, dobToleranceYears: 0 } };
        }),
      },
      this.#stopping.signal,
    );
    const now = clock();
    const row = {
      environment,
      key,
      algorithmVersion: ALGORITHM,
      lists: versions.map(({ listId, version, publishedOn }) => ({ listId, version, publishedOn })),
      counts,
      computedAt: now,
    };
    const before = addMilliseconds(now, -KEPT_DAYS * DAY_MILLISECONDS);
    try {
      await database.platform({ tenantId: null }, (tx) => storeEstimate(tx, row, before));
    } catch (error) {
      // The lists are not at fault: they are estimated again when the database is back.
      this.#attempted.delete(`${environment} ${key}`);
      throw error;
    }
    log.info({ environment, milliseconds: Math.round(performance.now() - startedAt) }, 'lines estimated');
  }

  #failed(environment: Environment, error: unknown): void {
    if (this.#stopping.signal.aborted) return;
    this.#given.log.warn({ reason: (error as Error).message, environment }, 'the lines could not be estimated');
  }
}

export const estimateJob: Job<JobServices & { readonly lineEstimator: LineEstimator }> = {
  name: 'lists.estimate',
  everySeconds: MINUTE_SECONDS,
  run: ({ services: { lineEstimator } }) => lineEstimator.refresh(),
};
