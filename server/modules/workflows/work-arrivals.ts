/**
 * Lets requests of workers wait for work outside of a transaction. A change of the table of work is announced to every
 * process with its commit (server/start.ts passes the announcement on), so nobody asks the database again and again.
 */

/**
 * A request that waits. It must be begun before the database is asked, so that no work arrives unnoticed in between.
 */
interface Arrival {
  /** Resolves when work may have arrived, the time is over or the signal aborts. */
  within(milliseconds: number, signal: AbortSignal): Promise<void>;
  forget(): void;
}

/** The requests that wait in one process. */
export class WorkArrivals {
  readonly #waiting = new Map<string, Set<() => void>>();
  #isClosed = false;

  /** Begins to listen for work of a tenant. */
  expect(tenantId: string): Arrival {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = this.#waiting.get(tenantId) ?? new Set();
    this.#waiting.set(tenantId, waiting.add(resolve));
    const forget = (): void => {
      waiting.delete(resolve);
      if (waiting.size === 0 && this.#waiting.get(tenantId) === waiting) this.#waiting.delete(tenantId);
    };
    return {
      forget,
      within: async (milliseconds, signal) => {
        const timer = setTimeout(resolve, milliseconds);
        signal.addEventListener('abort', () => resolve(), { once: true });
        if (signal.aborted) resolve();
        await promise;
        clearTimeout(timer);
        forget();
      },
    };
  }

  /** Wakes those whom a message of the database concerns; returns false if it announces something else. */
  isAnnouncedBy(message: string): boolean {
    const [kind, tenantId = ''] = message.split(' ');
    if (kind !== 'work') return false;
    this.announce(tenantId);
    return true;
  }

  /** Wakes the requests of a tenant, each of which then asks the database. */
  announce(tenantId: string): void {
    for (const wake of this.#waiting.get(tenantId) ?? []) wake();
  }

  /** Answers everybody who waits, because the process stops; nobody waits any more. */
  close(): void {
    this.#isClosed = true;
    this.announceAll();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Wakes all requests, because announcements may have been lost. */
  announceAll(): void {
    for (const tenantId of this.#waiting.keys()) this.announce(tenantId);
  }
}
