import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable, type Transaction } from '../database/index.ts';
import { NotReady } from '../request/handler.ts';
import type { JobServices } from './job.ts';
import type { TaskEnd, TaskStep, WorkKind } from './task.ts';
import {
  deferTask,
  deleteTask,
  holdsLease,
  isUnleased,
  type Lease,
  leaseTask,
  type LeasedTask,
  prolongLease,
  returnTask,
} from './task-store.ts';

/** Number of works at once. They are beside the steps of tasks, which therefore never wait for a work. */
const LANES = 2;

/**
 * Time for which a worker that died without giving its lease back keeps others from the task. A lease is prolonged
 * while its work goes on.
 */
const LEASE_MILLISECONDS = 30_000;

/** Delay after which a work that needs something that is still being built is repeated. */
const MAKING_MILLISECONDS = 1_000;

interface Claimed<S> {
  readonly task: LeasedTask;
  readonly kind: WorkKind<S>;
  readonly input: unknown;
}

/** What the lanes need of the worker, which counts the ends of tasks and knows what to do after an error. */
interface Owner {
  readonly transaction: <T>(tenantId: string, run: (tx: Transaction) => Promise<T>) => Promise<T>;
  readonly onEnd: (end: TaskEnd) => void;
  readonly onFailure: (tx: Transaction, task: LeasedTask, error: unknown) => Promise<'failed' | 'given_up'>;
}

/**
 * Does the work of tasks that hold no transaction (`WorkKind`), for one tenant after the other: a tenant is at the end
 * of the queue again after each work. The lease of a task is a column of its row, so at most one worker of all
 * processes can finish it; a worker that loses its lease finishes nothing.
 */
export class WorkLanes<S extends JobServices> {
  readonly #services: S;
  readonly #kinds: ReadonlyMap<string, WorkKind<S>>;
  readonly #owner: Owner;
  readonly #leaseMilliseconds: number;
  readonly #waiting = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();

  constructor(services: S, kinds: readonly WorkKind<S>[], owner: Owner, leaseMilliseconds = LEASE_MILLISECONDS) {
    this.#services = services;
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.#owner = owner;
    this.#leaseMilliseconds = leaseMilliseconds;
  }

  /** Looks for work of a tenant, as soon as a lane is free. */
  offer(tenantId: string): void {
    if (this.#kinds.size === 0 || this.#stopping.signal.aborted) return;
    this.#waiting.add(tenantId);
    this.#fill();
  }

  /** Resolves when no tenant is waiting and nothing is running. */
  async whenIdle(): Promise<void> {
    while (this.#running.size > 0) await Promise.race(this.#running.values());
  }

  /** Gives all leases back, so that another process can take the tasks at once. */
  async stop(): Promise<void> {
    this.#waiting.clear();
    this.#stopping.abort();
    await this.whenIdle();
  }

  #fill(): void {
    for (const tenantId of this.#waiting) {
      if (this.#running.size >= LANES) return;
      if (this.#running.has(tenantId)) continue;
      this.#waiting.delete(tenantId);
      const run = this.#serve(tenantId).finally(() => {
        this.#running.delete(tenantId);
        this.#fill();
      });
      this.#running.set(tenantId, run);
    }
  }

  /** Does one work of a tenant. Never rejects: a task whose database is unavailable is woken again later. */
  async #serve(tenantId: string): Promise<void> {
    try {
      const claimed = await this.#claim(tenantId);
      if (claimed === null) return;
      if (claimed !== 'ended') await this.#work(tenantId, claimed);
      this.offer(tenantId);
    } catch (error) {
      this.#services.log.warn({ tenantId, reason: (error as Error).message }, 'a work of a task was interrupted');
    }
  }

  /** Leases the next task and reads its input. Returns null if there is no task, and `ended` if it needs no work. */
  async #claim(tenantId: string): Promise<Claimed<S> | 'ended' | null> {
    let task: LeasedTask | null = null;
    try {
      return await this.#owner.transaction(tenantId, async (tx) => {
        task = await leaseTask(tx, [...this.#kinds.keys()], this.#leaseFromNow());
        if (task === null) return null;
        const kind = this.#kinds.get(task.kind)!;
        const input = await kind.claim(this.#stepOf(tx, task), this.#services);
        if (input !== null) return { task, kind, input };
        await deleteTask(tx, task.id);
        return 'ended';
      });
    } catch (error) {
      if (task === null) throw error;
      await this.#failed(tenantId, task, error, isUnleased);
      return 'ended';
    }
  }

  async #work(tenantId: string, { task, kind, input }: Claimed<S>): Promise<void> {
    const startedAt = performance.now();
    const lost = new AbortController();
    const signal = AbortSignal.any([this.#stopping.signal, lost.signal]);
    const ended = new AbortController();
    void this.#prolong(tenantId, task, lost, ended.signal);
    try {
      const output = await unlessAborted(signal, kind.work(input, { signal, services: this.#services }));
      const isFinished = await this.#owner.transaction(tenantId, async (tx) => {
        if (!(await holdsLease(tx, task))) return false;
        await kind.finish(this.#stepOf(tx, task), output, this.#services);
        return deleteTask(tx, task.id);
      });
      if (isFinished) this.#owner.onEnd({ kind: kind.name, outcome: 'done', startedAt });
    } catch (error) {
      if (!signal.aborted) await this.#failed(tenantId, task, error, holdsLease);
      else {
        const now = this.#services.clock();
        await this.#unlessLost(tenantId, task, holdsLease, (tx) => returnTask(tx, task, now));
      }
    } finally {
      ended.abort();
    }
  }

  /**
   * Records a failure, unless the task is another worker's by now. The lease of a claim that failed was rolled back
   * with it, so then the task must have no lease.
   */
  async #failed(
    tenantId: string,
    task: LeasedTask,
    error: unknown,
    isOwn: typeof holdsLease | typeof isUnleased,
  ): Promise<void> {
    if (error instanceof DatabaseUnavailable) throw error;
    if (error instanceof NotReady) {
      return this.#unlessLost(tenantId, task, isOwn, (tx) =>
        deferTask(tx, task, this.#services.clock(), MAKING_MILLISECONDS),
      );
    }
    const startedAt = performance.now();
    await this.#unlessLost(tenantId, task, isOwn, async (tx) => {
      const outcome = await this.#owner.onFailure(tx, task, error);
      this.#owner.onEnd({ kind: task.kind, outcome, startedAt });
    });
  }

  /** Changes a task, unless it is not this worker's any more. */
  async #unlessLost(
    tenantId: string,
    task: LeasedTask,
    isOwn: typeof holdsLease | typeof isUnleased,
    change: (tx: Transaction) => Promise<void> | void,
  ): Promise<void> {
    await this.#owner.transaction(tenantId, async (tx) => {
      if (await isOwn(tx, task)) await change(tx);
    });
  }

  /** Prolongs a lease until the work has ended, and aborts the work if the lease is lost. */
  async #prolong(tenantId: string, task: LeasedTask, lost: AbortController, ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      await sleep(this.#leaseMilliseconds / 3, undefined, { signal: ended }).catch(() => {});
      if (ended.aborted) return;
      const isHeld = await this.#owner
        .transaction(tenantId, (tx) => prolongLease(tx, task, this.#leaseFromNow()))
        // Without an answer of the database the lease may still be there; if it is not, the end of the work finds out.
        .catch(() => true);
      if (!isHeld) lost.abort();
    }
  }

  #leaseFromNow(): Lease {
    const now = this.#services.clock();
    return { now, until: new Date(now.getTime() + this.#leaseMilliseconds) };
  }

  #stepOf(tx: Transaction, { subjectId }: LeasedTask): TaskStep {
    return { tx, subjectId, now: this.#services.clock() };
  }
}

/** Rejects at once if the signal is aborted, because work that ignores its signal must not delay the end of the process. */
async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
    work.catch(() => {});
  }
}
