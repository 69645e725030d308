/** Lanes in which the worker runs the tasks that take long; a lane runs one task at a time. Used by worker.ts. */
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
  wakeTenant,
} from './task-store.ts';

/** Number of tasks whose work runs at once, beside the steps of other tasks, which therefore never wait for it. */
const LANES = 2;

/**
 * Duration of a lease, which is prolonged while the work goes on. If a worker dies without releasing its lease, others
 * take the task after this time.
 */
const LEASE_MILLISECONDS = 30_000;

/** Delay before the retry of work that threw `NotReady`, for example because an index is still being built. */
const NOT_READY_RETRY_MILLISECONDS = 1_000;

interface Claimed<S> {
  readonly task: LeasedTask;
  readonly kind: WorkKind<S>;
  readonly input: unknown;
}

/** Functions of the task worker that the lanes call: it counts finished tasks and decides what follows an error. */
interface Owner {
  readonly transaction: <T>(tenantId: string, run: (tx: Transaction) => Promise<T>) => Promise<T>;
  readonly onEnd: (end: TaskEnd) => void;
  readonly onFailure: (tx: Transaction, task: LeasedTask, error: unknown) => Promise<'failed' | 'given_up'>;
}

/**
 * Runs the tasks of work kinds (`WorkKind` in task.ts), which take long and hold no transaction meanwhile. Each of the
 * lanes runs one task at a time; after it, the tenant goes to the end of the waiting tenants. The lease of a task is a
 * column of its row, so at most one worker of all processes can finish it; a worker that loses its lease finishes
 * nothing.
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

  /** Looks for due work of a tenant as soon as a lane is free. */
  offer(tenantId: string): void {
    if (this.#kinds.size === 0 || this.#stopping.signal.aborted) return;
    this.#waiting.add(tenantId);
    this.#fill();
  }

  /** Resolves when no tenant is waiting and nothing is running. */
  async whenIdle(): Promise<void> {
    while (this.#running.size > 0) await Promise.race(this.#running.values());
  }

  /** Interrupts all work, and leaves it and the waiting tenants to other processes, which can go on at once. */
  async stop(): Promise<void> {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    this.#stopping.abort();
    await this.whenIdle();
    for (const tenantId of waiting) {
      await this.#owner
        .transaction(tenantId, async (tx) => wakeTenant(tx, tenantId))
        // A periodic job wakes tenants whose tasks are late.
        .catch(() => {});
    }
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

  /** Runs one task of a tenant. Never rejects: if the database is unavailable, the tenant is woken again later. */
  async #serve(tenantId: string): Promise<void> {
    try {
      const claimed = await this.#claim(tenantId);
      if (claimed === null) return;
      if (claimed !== 'ended') await this.#work(tenantId, claimed);
      this.offer(tenantId);
    } catch (error) {
      this.#services.log.warn({ tenantId, reason: (error as Error).message }, 'the work of a task was interrupted');
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
   * Records a failure, unless another worker has taken the task meanwhile. If `claim` failed, its lease was rolled back
   * with it, so the task must have no lease (`isUnleased`).
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
        deferTask(tx, task, this.#services.clock(), NOT_READY_RETRY_MILLISECONDS),
      );
    }
    const startedAt = performance.now();
    await this.#unlessLost(tenantId, task, isOwn, async (tx) => {
      const outcome = await this.#owner.onFailure(tx, task, error);
      this.#owner.onEnd({ kind: task.kind, outcome, startedAt });
    });
  }

  /** Changes a task, unless another worker has taken it meanwhile. */
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
        // If the database does not respond, the lease may still hold; if it does not, finishing the work is refused.
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

/**
 * Rejects at once if the signal is aborted, because work that ignores its signal must not delay the end of the process.
 */
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
