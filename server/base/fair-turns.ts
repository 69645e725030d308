import { setTimeout as sleep } from 'node:timers/promises';

/** Whoever waits in one queue: a tenant. */
interface Lane {
  running: number;
  readonly waiting: (() => void)[];
  /** When it last had something to do. */
  seenAt: number;
  /** When it last began a task. */
  begunAt: number;
}

/** A lane counts as active for so long after its last task, so that what somebody else queues meanwhile leaves room for its next one. */
const ACTIVE_MILLISECONDS = 2_000;
/** A task that is held up does not hold up all others of its lane, where there are turns enough. */
const LEAST = 2;
/** For so long a lane that has a queue begins nothing beside the only task of another one, nor a second task beside its own while others are active. */
const YIELDING_MILLISECONDS = 100;
/** How often is looked whether other lanes are still at work. */
const GAP_MILLISECONDS = 2;

/**
 * Runs a few tasks at once, and shares the turns between lanes: a free turn goes to the lane that has begun or ended a task longest ago, however many tasks another lane has queued. A lane alone may have all turns
 * but one, so a task of another lane waits for nobody; lanes that are active at the same time have equal parts, and begin a second task only when the first one takes long. A lane that has a queue gives way
 * for a moment to a lane that has one task alone, because both would be slower side by side. Tasks of one lane run in the order in which they came.
 */
export class FairTurns {
  readonly #turns: number;
  readonly #yielding: number;
  readonly #clock: () => number;
  /** Those that have begun or ended a task longest ago come first. A lane that is not active any more is forgotten. */
  readonly #lanes = new Map<string, Lane>();
  #running = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(turns: number, { yieldingMilliseconds = YIELDING_MILLISECONDS, clock = (): number => performance.now() } = {}) {
    this.#turns = turns;
    this.#yielding = yieldingMilliseconds;
    this.#clock = clock;
  }

  async run<T>(name: string, task: () => Promise<T>): Promise<T> {
    await new Promise<void>((admit) => {
      const lane = this.#lanes.get(name) ?? { running: 0, waiting: [], seenAt: 0, begunAt: Number.NEGATIVE_INFINITY };
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

  /** Waits, for a moment at most, until no other lane is at work: called between the slices of something long that takes no turn. */
  async gap(name: string): Promise<void> {
    const until = this.#clock() + this.#yielding;
    while (this.#clock() < until && [...this.#lanes].some(([other, { running }]) => other !== name && running > 0)) await sleep(GAP_MILLISECONDS);
  }

  #served(name: string, lane: Lane): void {
    lane.seenAt = this.#clock();
    this.#lanes.delete(name);
    this.#lanes.set(name, lane);
  }

  #admit(): void {
    this.#forget();
    const most = Math.max(1, Math.min(this.#turns - 1, Math.max(LEAST, Math.floor(this.#turns / this.#lanes.size))));
    while (this.#running < this.#turns) {
      const next = [...this.#lanes].find(([, lane]) => lane.waiting.length > 0 && lane.running < most && !this.#holdsBack(lane));
      if (next === undefined) return;
      const [name, lane] = next;
      this.#running++;
      lane.running++;
      lane.begunAt = this.#clock();
      this.#served(name, lane);
      lane.waiting.shift()!();
    }
  }

  /**
   * Whether the lane begins nothing for a moment: it has a queue, and another one its only task; or it is at work already, and others are active. It is asked again when a task has ended, and after that moment
   * whatever happens.
   */
  #holdsBack(lane: Lane): boolean {
    const left = lane.begunAt + this.#yielding - this.#clock();
    if (left <= 0) return false;
    const isSecond = lane.running > 0 && this.#lanes.size > 1;
    const hasQueue = lane.running + lane.waiting.length > 1;
    const holdsBack = isSecond || hasQueue && [...this.#lanes.values()].some((other) => other !== lane && other.running === 1 && other.waiting.length === 0);
    if (holdsBack) this.#timer ??= setTimeout(() => {
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
