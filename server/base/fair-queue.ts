/**
 * Shares a few slots fairly between tenants. Used by screenings and own lists. A task that never ends keeps its slot;
 * the queue is in memory, so each process has its own.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** One queue: that of a tenant. */
interface Lane {
  running: number;
  readonly waiting: (() => void)[];
  /** Time at which the lane last had a task. */
  seenAt: number;
  /** Time at which the lane last started a task. */
  startedAt: number;
}

/**
 * Time after its last task for which a lane counts as active, so that tasks which others queue meanwhile leave room for
 * its next one.
 */
const ACTIVE_MILLISECONDS = 2_000;
/**
 * Minimum number of slots of a lane, if enough slots exist, so that a slow task does not delay all others of its lane.
 */
const LEAST = 2;
/**
 * Time for which a lane with a queue starts nothing beside the only task of another lane, nor a second task beside its
 * own while others are active.
 */
const YIELDING_MILLISECONDS = 100;
/** Interval of checks whether other lanes are still working. */
const GAP_MILLISECONDS = 2;

/**
 * Runs a few tasks at once, and shares the slots between lanes: a free slot goes to the lane whose last start or end of
 * a task is the oldest, however many tasks another lane has queued. A single lane may have all slots but one, so a task
 * of another lane starts without waiting; lanes that are active at the same time have equal shares, and start a second
 * task only if the first one is slow. A lane with a queue yields for a moment to a lane with a single task, because
 * both would be slower side by side. Tasks of one lane run in the order of their arrival.
 */
export class FairQueue {
  readonly #slots: number;
  readonly #yielding: number;
  readonly #clock: () => number;
  /** Lanes, ordered by the time of the last start or end of a task, the oldest first. Inactive lanes are removed. */
  readonly #lanes = new Map<string, Lane>();
  #running = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(
    slots: number,
    { yieldingMilliseconds = YIELDING_MILLISECONDS, clock = (): number => performance.now() } = {},
  ) {
    this.#slots = slots;
    this.#yielding = yieldingMilliseconds;
    this.#clock = clock;
  }

  async run<T>(name: string, task: () => Promise<T>): Promise<T> {
    await new Promise<void>((admit) => {
      const lane = this.#lanes.get(name) ?? {
        running: 0,
        waiting: [],
        seenAt: 0,
        startedAt: Number.NEGATIVE_INFINITY,
      };
      lane.waiting.push(admit);
      lane.seenAt = this.#clock();
      if (!this.#lanes.has(name)) this.#lanes.set(name, lane);
      this.#admit();
    });
    try {
      return await task();
    } finally {
      this.#running--;
      const lane = this.#lanes.get(name)!;
      lane.running--;
      this.#served(name, lane);
      this.#admit();
    }
  }

  /**
   * Waits, for a limited time, until no other lane is working. Called between the slices of long work that takes no
   * slot.
   */
  async gap(name: string): Promise<void> {
    const until = this.#clock() + this.#yielding;
    while (this.#clock() < until && [...this.#lanes].some(([other, { running }]) => other !== name && running > 0))
      await sleep(GAP_MILLISECONDS);
  }

  #served(name: string, lane: Lane): void {
    lane.seenAt = this.#clock();
    this.#lanes.delete(name);
    this.#lanes.set(name, lane);
  }

  #admit(): void {
    this.#forget();
    const most = Math.max(1, Math.min(this.#slots - 1, Math.max(LEAST, Math.floor(this.#slots / this.#lanes.size))));
    while (this.#running < this.#slots) {
      const next = [...this.#lanes].find(
        ([, lane]) => lane.waiting.length > 0 && lane.running < most && !this.#holdsBack(lane),
      );
      if (next === undefined) return;
      const [name, lane] = next;
      this.#running++;
      lane.running++;
      lane.startedAt = this.#clock();
      this.#served(name, lane);
      lane.waiting.shift()!();
    }
  }

  /**
   * Tells whether the lane must not start a task at present: it has a queue and another lane a single task, or it is
   * working already and others are active. The lane is checked again when a task has ended, and in any case after the
   * yielding time.
   */
  #holdsBack(lane: Lane): boolean {
    const left = lane.startedAt + this.#yielding - this.#clock();
    if (left <= 0) return false;
    const isSecond = lane.running > 0 && this.#lanes.size > 1;
    const hasQueue = lane.running + lane.waiting.length > 1;
    const holdsBack =
      isSecond ||
      (hasQueue &&
        [...this.#lanes.values()].some((other) => other !== lane && other.running === 1 && other.waiting.length === 0));
    if (holdsBack)
      this.#timer ??= setTimeout(() => {
        this.#timer = null;
        this.#admit();
      }, left).unref();
    return holdsBack;
  }

  #forget(): void {
    const now = this.#clock();
    for (const [name, { running, waiting, seenAt }] of this.#lanes) {
      if (running === 0 && waiting.length === 0 && now - seenAt > ACTIVE_MILLISECONDS) this.#lanes.delete(name);
    }
  }
}
