import { DatabaseUnavailable } from '../database/index.ts';
import type { Job, JobMetrics, JobServices } from './job.ts';
import { recordSuccess, withJobLock } from './store.ts';

/** Replicas that start together shall not ask for the same lock at the same instant for ever. */
const JITTER = 0.1;
const FIRST_ROUND_MILLISECONDS = 2_000;

/**
 * Runs each job in its interval, counted from the end of the last round. One after the other: together they hold no more
 * than one database connection beside the one that they work with, and requests keep the rest.
 */
export class Scheduler<S extends JobServices> {
  readonly #services: S;
  readonly #jobs: readonly Job<S>[];
  readonly #metrics: JobMetrics;
  readonly #stopping = new AbortController();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #line: Promise<unknown> = Promise.resolve();

  constructor(services: S, jobs: readonly Job<S>[], metrics: JobMetrics) {
    this.#services = services;
    this.#jobs = jobs;
    this.#metrics = metrics;
  }

  /** The first round comes soon, because a crash or a long rest may have left much to do. */
  start(): void {
    for (const job of this.#jobs) this.#plan(job, Math.random() * FIRST_ROUND_MILLISECONDS);
  }

  /** One round now; how much it did, or null when another process is at it. Fails as the job fails. */
  run(name: string): Promise<number | null> {
    const job = this.#jobs.find((candidate) => candidate.name === name);
    if (job === undefined) throw new TypeError(`there is no job ${name}`);
    const round = this.#line.then(() => (this.#stopping.signal.aborted ? null : this.#round(job)));
    this.#line = round.catch(() => {});
    return round;
  }

  /** Resolves when no round is running any more. */
  async stop(): Promise<void> {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#stopping.abort();
    await this.#line;
  }

  #plan(job: Job<S>, milliseconds: number): void {
    if (this.#stopping.signal.aborted) return;
    this.#timers.set(job.name, setTimeout(() => {
      const { log } = this.#services;
      void this.run(job.name)
        .catch((error: unknown) => log.warn({ job: job.name, ...(error instanceof DatabaseUnavailable ? { reason: error.message } : { err: error }) }, 'a job failed and will be tried again'))
        .finally(() => this.#plan(job, job.everySeconds * 1000 * (1 + JITTER * Math.random())));
    }, milliseconds).unref());
  }

  async #round(job: Job<S>): Promise<number | null> {
    const { database, log } = this.#services;
    const begun = performance.now();
    const seconds = () => (performance.now() - begun) / 1000;
    try {
      const done = await withJobLock(database, job.name, (lost) =>
        job.run({ services: this.#services, metrics: this.#metrics, signal: AbortSignal.any([this.#stopping.signal, lost]) }));
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
