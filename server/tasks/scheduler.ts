/**
 * Runs periodic jobs, each in only one process at a time. Used by server/start.ts. A job that fails is tried again at
 * its next round.
 */
import { DatabaseUnavailable } from '../database/index.ts';
import type { Job, JobMetrics, JobServices } from './job.ts';
import { recordSuccess, withJobLock } from './store.ts';

/**
 * Random part of the interval, so that replicas that start at the same time do not always request the same lock at the
 * same instant.
 */
const JITTER = 0.1;
const FIRST_ROUND_MILLISECONDS = 2_000;

/**
 * Runs each job at its interval, counted from the end of its last round. Rounds run one after another, so that all jobs
 * use at most two database connections in total, one for the lock and one for the work, and leave the others to
 * requests.
 */
export class Scheduler<S extends JobServices> {
  readonly #services: S;
  readonly #jobs: readonly Job<S>[];
  readonly #metrics: JobMetrics;
  readonly #stopping = new AbortController();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(services: S, jobs: readonly Job<S>[], metrics: JobMetrics) {
    this.#services = services;
    this.#jobs = jobs;
    this.#metrics = metrics;
  }

  /**
   * Starts the jobs. The first round runs soon, because work may have accumulated while the service was not running.
   */
  start(): void {
    for (const job of this.#jobs) this.#schedule(job, Math.random() * FIRST_ROUND_MILLISECONDS);
  }

  /**
   * Runs one round now. Resolves with the number of processed items, or null if another process runs the job. Rejects
   * if the job fails.
   */
  run(name: string): Promise<number | null> {
    const job = this.#jobs.find((candidate) => candidate.name === name);
    if (job === undefined) throw new TypeError(`there is no job ${name}`);
    const round = this.#queue.then(() => (this.#stopping.signal.aborted ? null : this.#round(job)));
    this.#queue = round.catch(() => {});
    return round;
  }

  /** Stops the scheduler. Resolves when no round is running any more. */
  async stop(): Promise<void> {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#stopping.abort();
    await this.#queue;
  }

  #schedule(job: Job<S>, milliseconds: number): void {
    if (this.#stopping.signal.aborted) return;
    this.#timers.set(
      job.name,
      setTimeout(() => {
        const { log } = this.#services;
        void this.run(job.name)
          .catch((error: unknown) =>
            log.warn(
              { job: job.name, ...(error instanceof DatabaseUnavailable ? { reason: error.message } : { err: error }) },
              'a job failed and will be tried again',
            ),
          )
          .finally(() => this.#schedule(job, job.everySeconds * 1000 * (1 + JITTER * Math.random())));
      }, milliseconds).unref(),
    );
  }

  async #round(job: Job<S>): Promise<number | null> {
    const { database, log } = this.#services;
    const startedAt = performance.now();
    const seconds = () => (performance.now() - startedAt) / 1000;
    try {
      const done = await withJobLock(database, job.name, (lost) =>
        job.run({
          services: this.#services,
          metrics: this.#metrics,
          signal: AbortSignal.any([this.#stopping.signal, lost]),
        }),
      );
      if (done !== null) await recordSuccess(database, job, this.#services.clock());
      this.#metrics.ran(job.name, done === null ? 'elsewhere' : 'success', seconds(), done?.result);
      if (done !== null && done.result > 0) log.info({ job: job.name, count: done.result }, 'a job was done');
      return done?.result ?? null;
    } catch (error) {
      this.#metrics.ran(job.name, 'failure', seconds());
      throw error;
    }
  }
}
