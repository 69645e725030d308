/**
 * Polls a tenant's sandbox as soon as something happens in it, so that people who try the service see events at once.
 * Created when the process starts and called after commands in the sandbox. It never fails a request; the regular
 * rounds find what it misses.
 */
import type { RealTime } from '../../base/time.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../database/index.ts';
import { StateCache } from '../../simulators/directory/index.ts';
import type { Ingestion } from './ingestion.ts';

/** How far ahead a step may be for a poll of its own. Later steps are left to the regular polls. */
const horizon = 5 * 60_000;
/**
 * Steps that follow one another faster than this are polled together, because a poll between two of them would find
 * only half of what happens.
 */
const settleMilliseconds = 200;
const pause = 50;
/** How long a poll waits for a moment in which no step is about to happen. */
const settleTimeout = 1000;
/**
 * How long the response to a request waits for the feed. A poll usually takes a tenth of this, unless a fault is armed.
 * A waiting request occupies a slot that another request could use.
 */
const longestWait = 3000;

interface SandboxFollowerOptions {
  readonly database: Database;
  readonly ingestion: Pick<Ingestion, 'pollNow'>;
  readonly clock: () => Date;
}

/**
 * Makes the feed follow a sandbox as events happen in it, for users who watch it live. It only polls earlier than the
 * regular polls do: they find whatever it misses, for example after a crash.
 */
export class SandboxFollower {
  readonly #options: SandboxFollowerOptions;
  /**
   * A separate cache, because this class requests times before those that the directory has answered for. Folding a
   * full journal each time would block the process.
   */
  readonly #states: StateCache;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #queued = new Map<string, Promise<void>>();
  /**
   * Tenants whose directory did not respond in time. No request waits for them until their directory responds again.
   */
  readonly #slow = new Set<string>();

  constructor(options: SandboxFollowerOptions) {
    this.#options = options;
    this.#states = new StateCache(options.database, options.clock);
  }

  /**
   * Polls after a command to the directory or a move of its clock. Resolves when the feed contains the result, or after
   * `longestWait`.
   */
  async follow(tenantId: string): Promise<void> {
    const poll = this.#queuePoll(tenantId);
    if (this.#slow.has(tenantId)) return;
    const isSlow = await Promise.race([poll.then(() => false), sleep(longestWait, true, { ref: false })]);
    if (isSlow) this.#slow.add(tenantId);
  }

  /**
   * Queues a poll. Polls of a tenant run one after the other. A poll that has not started will find every earlier
   * command, so all callers share it.
   */
  #queuePoll(tenantId: string): Promise<void> {
    const queued = this.#queued.get(tenantId);
    if (queued !== undefined) return queued;
    const poll = (this.#running.get(tenantId) ?? Promise.resolve())
      .then(async () => {
        this.#queued.delete(tenantId);
        this.#running.set(tenantId, poll);
        const startedAt = performance.now();
        await this.#pollUntilQuiet(tenantId);
        if (performance.now() - startedAt < longestWait) this.#slow.delete(tenantId);
      })
      .finally(() => {
        if (this.#running.get(tenantId) === poll) this.#running.delete(tenantId);
      });
    this.#queued.set(tenantId, poll);
    return poll;
  }

  /** Never rejects, because the regular polls find what a poll misses. */
  async #pollUntilQuiet(tenantId: string): Promise<void> {
    const { ingestion, clock } = this.#options;
    for (;;) {
      const startedAt = await this.#waitForQuiet(tenantId);
      await ingestion.pollNow(tenantId);
      const next = await this.#nextStepAfter(tenantId, startedAt);
      if (next === null) return;
      const wait = next.getTime() - clock().getTime();
      if (wait > settleMilliseconds) {
        this.#schedule(tenantId, wait);
        return;
      }
    }
  }

  async #waitForQuiet(tenantId: string): Promise<Date> {
    const { clock } = this.#options;
    for (let waited = 0; ; waited += pause) {
      const now = clock();
      const next = waited < settleTimeout ? await this.#nextStepAfter(tenantId, now) : null;
      if (next === null || next.getTime() - now.getTime() > settleMilliseconds) return now;
      await sleep(pause, undefined, { ref: false });
    }
  }

  #schedule(tenantId: string, wait: number): void {
    clearTimeout(this.#timers.get(tenantId));
    this.#timers.delete(tenantId);
    if (wait > horizon) return;
    this.#timers.set(
      tenantId,
      setTimeout(() => {
        this.#timers.delete(tenantId);
        void this.#queuePoll(tenantId);
      }, wait).unref(),
    );
  }

  async #nextStepAfter(tenantId: string, now: RealTime): Promise<Date | null> {
    try {
      return await this.#states.nextStepAfter(tenantId, now);
    } catch {
      // The database is closed or unreachable; the regular polls notice that themselves.
      return null;
    }
  }
}
