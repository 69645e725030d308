/** Worker that runs the queued tasks of all tenants on graphile-worker. Used by server/start.ts. */
import type { RealTime } from '../base/time.ts';
import type { LogFunctionFactory } from '@graphile/logger';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunnerOptions } from 'graphile-worker';
import { Counter, Histogram, type Registry } from 'prom-client';
import { FairQueue } from '../base/fair-queue.ts';
import { DatabaseUnavailable, type Transaction } from '../database/index.ts';
import { NotReady } from '../request/handler.ts';
import type { JobServices } from './job.ts';
import { readQueue } from './queue-reader.ts';
import { isStepKind, isWorkKind, type StepKind, type TaskEnd, type TaskKind } from './task.ts';
import { deferTask, deleteTask, takeTask, type Task, wakeIfMoreIsDue } from './task-store.ts';
import { WorkLanes } from './work-lanes.ts';

/** Number of tenants that are served at once. Each occupies a database connection that requests could otherwise use. */
const AT_ONCE = 2;
/** Time for which a tenant is served before the next one. */
const SLICE_MILLISECONDS = 100;
/**
 * Interval at which each worker looks for tasks that have become due. A task that is due when it is queued does not
 * wait for this, because the database notifies the workers.
 */
const POLL_MILLISECONDS = 5_000;
const RESTART_MILLISECONDS = 5_000;

const MOST_ATTEMPTS = 8;

/** Delay before the retry of a step that threw `NotReady`, for example because an index is still being built. */
const NOT_READY_RETRY_MILLISECONDS = 1_000;

/** Returns the delay before a retry: 2, 4, 8 … seconds. Eight attempts take about four minutes. */
const pauseAfter = (attempts: number): number => 1_000 * 2 ** attempts;

interface WorkerOptions {
  readonly fairQueue?: FairQueue;
  /** Time after which the lease of a killed process ends. Tests set a short time so that they need not wait. */
  readonly leaseMilliseconds?: number;
  /** Time between the failure of the reader of the queue and the start of the next. Tests set a short time. */
  readonly restartMilliseconds?: number;
}

/**
 * Runs the tasks of all tenants. A task is a row of the table `task`. Its kind (task.ts) is either a step kind, which
 * runs in short transactions, or a work kind, which computes for long without a transaction and is run by `WorkLanes`.
 *
 * The queue of graphile-worker holds one entry for each tenant that has tasks; the worker that takes the entry serves
 * this tenant for a time slice and puts the entry back at the end of the queue. So a tenant waits for one slice of each
 * other tenant, and not for all of their tasks. The queue only wakes workers: the task rows define which tasks exist,
 * so an entry that is lost or duplicated does no harm.
 */
export class TaskWorker<S extends JobServices> {
  readonly #services: S;
  readonly #kinds: ReadonlyMap<string, TaskKind<S>>;
  readonly #steps: ReadonlyMap<string, StepKind<S>>;
  readonly #lanes: WorkLanes<S>;
  readonly #ends: Counter<'kind' | 'outcome'>;
  readonly #duration: Histogram<'kind'>;
  readonly #fairQueue: FairQueue;
  readonly #restartMilliseconds: number;
  readonly #stopping = new AbortController();
  /** Readers of the queue: the one of `start`, and one for each call of `runDue`. */
  readonly #readers = new Set<Promise<void>>();
  /** Number of tenants that are being served. */
  #serving = 0;
  #isStarted = false;

  /**
   * Creates the worker. `fairQueue` limits, within this process, what runs at once. Expensive requests go through it
   * too, so the tasks and the requests of a tenant together get one tenant's share of the processors. By default it has
   * one slot more than there are workers, because one tenant may occupy all slots but one.
   */
  constructor(
    services: S,
    kinds: readonly TaskKind<S>[],
    registry: Registry,
    {
      fairQueue = new FairQueue(1 + AT_ONCE),
      leaseMilliseconds,
      restartMilliseconds = RESTART_MILLISECONDS,
    }: WorkerOptions = {},
  ) {
    const registers = [registry];
    this.#services = services;
    this.#fairQueue = fairQueue;
    this.#restartMilliseconds = restartMilliseconds;
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.#steps = new Map(kinds.filter(isStepKind).map((kind) => [kind.name, kind]));
    const owner = {
      transaction: <T>(tenantId: string, run: (tx: Transaction) => Promise<T>) =>
        this.#fairQueue.run(tenantId, () => services.database.transaction({ tenantId }, run)),
      onEnd: (end: TaskEnd) => this.#count(end),
      onFailure: (tx: Transaction, task: Task, error: unknown) => this.#failed(tx, task, error),
    };
    this.#lanes = new WorkLanes(services, kinds.filter(isWorkKind), owner, leaseMilliseconds);
    this.#ends = new Counter({
      name: 'task_steps_total',
      help: 'Steps of tasks in the background.',
      labelNames: ['kind', 'outcome'],
      registers,
    });
    this.#duration = new Histogram({
      name: 'task_step_duration_seconds',
      help: 'Time of a step.',
      labelNames: ['kind'],
      buckets: [0.01, 0.1, 1, 10],
      registers,
    });
  }

  /**
   * Runs tasks until `stop`. graphile-worker is imported on first use, because loading it takes a tenth of a second,
   * which the start of the service need not wait for.
   */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    void this.#read(this.#workAlways());
  }

  /** Processes the current entries of the queue and those that they add, then returns. Tests run tasks by it. */
  async runDue(): Promise<void> {
    const { runOnce } = await import('graphile-worker');
    await this.#read(runOnce(await this.#options()));
    await this.#lanes.whenIdle();
  }

  /**
   * Stops the worker. Resolves when no step is running any more and the leases of interrupted work are released. The
   * leases come last, because a reader that still runs would take the entries that wake other workers for them.
   */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#readers);
    await this.#lanes.stop();
  }

  async #read(reader: Promise<void>): Promise<void> {
    this.#readers.add(reader);
    await reader.finally(() => this.#readers.delete(reader));
  }

  async #workAlways(): Promise<void> {
    const { log } = this.#services;
    const { signal } = this.#stopping;
    let isLogged = false;
    while (!signal.aborted) {
      await this.#work(() => (isLogged = false)).catch((error: unknown) => {
        if (!isLogged && !signal.aborted)
          log.warn(
            { reason: (error as Error).message },
            'the task worker failed; background tasks are paused until it restarts',
          );
        isLogged = true;
      });
      await sleep(this.#restartMilliseconds, undefined, { signal }).catch(() => {});
    }
  }

  async #work(onStart: () => void): Promise<void> {
    await readQueue(await this.#options(), {
      signal: this.#stopping.signal,
      timeoutMilliseconds: this.#restartMilliseconds,
      isServing: () => this.#serving > 0,
      onStart,
    });
  }

  async #options(): Promise<RunnerOptions> {
    const { Logger } = await import('graphile-worker');
    const { database, log } = this.#services;
    const toLog: LogFunctionFactory<object> = () => (level, message) => {
      if (level === 'error' || level === 'warning') log.warn({ reason: message }, 'graphile-worker reports a problem');
    };
    return {
      pgPool: database.queue,
      schema: 'graphile_worker',
      logger: new Logger(toLog),
      concurrency: AT_ONCE,
      pollInterval: POLL_MILLISECONDS,
      // Without these settings graphile-worker does not wait until it has removed the last entry, neither if it is idle
      // nor if it stops.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      noHandleSignals: true,
      parsedCronItems: [],
      taskList: {
        wake: async (payload) => {
          this.#serving += 1;
          await this.#serve((payload as { readonly tenantId: string }).tenantId).finally(() => (this.#serving -= 1));
        },
      },
    };
  }

  /** Serves a tenant for one time slice. */
  async #serve(tenantId: string): Promise<void> {
    const { database, clock } = this.#services;
    const until = performance.now() + SLICE_MILLISECONDS;
    let outcome: TaskEnd['outcome'] | null;
    do {
      outcome = await this.#fairQueue.run(tenantId, () => this.#step(tenantId));
    } while (outcome !== null && performance.now() < until && !this.#stopping.signal.aborted);
    // Tasks of work kinds run beside the steps, in the lanes.
    this.#lanes.offer(tenantId);
    await wakeIfMoreIsDue(database, { tenantId, kinds: [...this.#steps.keys()], now: clock() });
  }

  /** Runs one step of the oldest due task. Returns null if there is none or another process serves the tenant. */
  async #step(tenantId: string): Promise<TaskEnd['outcome'] | null> {
    const { database, clock } = this.#services;
    const startedAt = performance.now();
    const now = clock();
    let task: Task | null = null;
    let outcome: TaskEnd['outcome'] | null;
    try {
      outcome = await database.transaction({ tenantId }, async (tx) => {
        task = await takeTask(tx, [...this.#steps.keys()], now);
        if (task === null) return null;
        const pause = await this.#steps.get(task.kind)!.step({ tx, subjectId: task.subjectId, now }, this.#services);
        if (pause === null) await deleteTask(tx, task.id);
        else deferTask(tx, { id: task.id, attempts: 0 }, now, pause);
        return pause === null ? 'done' : 'continued';
      });
    } catch (error) {
      if (task !== null && error instanceof NotReady) return this.#postponed(tenantId, task, now);
      // An unavailable database is no failure of the task: graphile-worker retries the entry of the tenant, and a
      // periodic job wakes tenants whose tasks are late.
      if (task === null || error instanceof DatabaseUnavailable) throw error;
      const failed: Task = task;
      outcome = await database.transaction({ tenantId }, (tx) => this.#failed(tx, failed, error));
    }
    if (outcome === null || task === null) return null;
    this.#count({ kind: (task as Task).kind, outcome, startedAt });
    return outcome;
  }

  #count({ kind, outcome, startedAt }: TaskEnd): void {
    this.#ends.inc({ kind, outcome });
    this.#duration.observe({ kind }, (performance.now() - startedAt) / 1000);
  }

  /**
   * Postpones a step that threw `NotReady`. Its effects are rolled back, and the attempt is not counted as a failure.
   */
  async #postponed(tenantId: string, task: Task, now: RealTime): Promise<TaskEnd['outcome']> {
    await this.#services.database.transaction({ tenantId }, async (tx) =>
      deferTask(tx, task, now, NOT_READY_RETRY_MILLISECONDS),
    );
    return 'continued';
  }

  /** Records a failure, in another transaction than that of the step or work, whose effects are rolled back. */
  async #failed(tx: Transaction, task: Task, error: unknown): Promise<'failed' | 'given_up'> {
    const { clock, log } = this.#services;
    const { id, kind, subjectId } = task;
    const attempts = task.attempts + 1;
    const isLast = attempts >= MOST_ATTEMPTS;
    if (!isLast) deferTask(tx, { id, attempts }, clock(), pauseAfter(attempts));
    else if (await deleteTask(tx, id))
      await this.#kinds.get(kind)!.giveUp({ tx, subjectId, now: clock() }, this.#services);
    log.warn(
      {
        tenantId: tx.tenantId,
        task: id,
        kind,
        attempt: attempts,
        err: error,
      },
      isLast ? 'a task failed for the last time' : 'a task failed and will be tried again',
    );
    return isLast ? 'given_up' : 'failed';
  }
}
