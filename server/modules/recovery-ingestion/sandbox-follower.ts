import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../database/index.ts';
import { StateCache } from '../../simulators/directory/index.ts';
import type { Ingestion } from './ingestion.ts';

/** What happens later than this the regular polls find. */
const horizon = 5 * 60_000;
/** Steps that follow one another faster than this are looked at together: between them, half of what happens would be seen. */
const settleMilliseconds = 200;
const pause = 50;
/** How long a look waits for a moment in which nothing is about to happen. */
const settleTimeout = 1000;
/** How long an answer waits for the feed. It takes a tenth of it, unless a fault is armed; whoever waits takes the place of another request. */
const longestWait = 3000;

interface SandboxFollowerOptions {
  readonly database: Database;
  readonly ingestion: Pick<Ingestion, 'pollNow'>;
  readonly clock: () => Date;
}

/**
 * Has the feed follow what somebody plays in a sandbox as it happens, whoever watches it live. It only looks sooner than the
 * regular polls do: whatever it misses, by a crash for example, they find.
 */
export class SandboxFollower {
  readonly #options: SandboxFollowerOptions;
  /** Of its own: it asks for moments that the directory may have answered past. A full journal folded anew each time would take the process from all others. */
  readonly #states: StateCache;
  readonly #watches = new Map<string, NodeJS.Timeout>();
  readonly #looking = new Map<string, Promise<void>>();
  readonly #waiting = new Map<string, Promise<void>>();
  /** Whose directory was waited for in vain: nobody else waits until it answers in time again. */
  readonly #late = new Set<string>();

  constructor(options: SandboxFollowerOptions) {
    this.#options = options;
    this.#states = new StateCache(options.database, options.clock);
  }

  /** Something was told to the directory, or its time has moved. Resolves when the feed carries what follows from it by now, or is slow to. */
  async follow(tenantId: string): Promise<void> {
    const look = this.#nextLook(tenantId);
    if (this.#late.has(tenantId)) return;
    const isLate = await Promise.race([look.then(() => false), sleep(longestWait, true, { ref: false })]);
    if (isLate) this.#late.add(tenantId);
  }

  /** One look after the other. One that has not begun sees what was told before it does, so it serves everybody who waits. */
  #nextLook(tenantId: string): Promise<void> {
    const waiting = this.#waiting.get(tenantId);
    if (waiting !== undefined) return waiting;
    const look = (this.#looking.get(tenantId) ?? Promise.resolve()).then(async () => {
      this.#waiting.delete(tenantId);
      this.#looking.set(tenantId, look);
      const begun = performance.now();
      await this.#look(tenantId);
      if (performance.now() - begun < longestWait) this.#late.delete(tenantId);
    }).finally(() => {
      if (this.#looking.get(tenantId) === look) this.#looking.delete(tenantId);
    });
    this.#waiting.set(tenantId, look);
    return look;
  }

  /** Never fails: what cannot be looked at now is found later. */
  async #look(tenantId: string): Promise<void> {
    const { ingestion, clock } = this.#options;
    for (;;) {
      const begun = await this.#stillness(tenantId);
      await ingestion.pollNow(tenantId);
      const next = await this.#nextStepAfter(tenantId, begun);
      if (next === null) return;
      const wait = next.getTime() - clock().getTime();
      if (wait > settleMilliseconds) {
        this.#watch(tenantId, wait);
        return;
      }
    }
  }

  async #stillness(tenantId: string): Promise<Date> {
    const { clock } = this.#options;
    for (let waited = 0; ; waited += pause) {
      const now = clock();
      const next = waited < settleTimeout ? await this.#nextStepAfter(tenantId, now) : null;
      if (next === null || next.getTime() - now.getTime() > settleMilliseconds) return now;
      await sleep(pause, undefined, { ref: false });
    }
  }

  #watch(tenantId: string, wait: number): void {
    clearTimeout(this.#watches.get(tenantId));
    this.#watches.delete(tenantId);
    if (wait > horizon) return;
    this.#watches.set(tenantId, setTimeout(() => {
      this.#watches.delete(tenantId);
      void this.#nextLook(tenantId);
    }, wait).unref());
  }

  async #nextStepAfter(tenantId: string, now: Date): Promise<Date | null> {
    try {
      return await this.#states.nextStepAfter(tenantId, now);
    } catch {
      // The database is closed or away, and the regular polls are told so themselves.
      return null;
    }
  }
}
