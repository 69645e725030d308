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
/** For so long a lane that has a queue begins nothing beside the only task of another one. */
const YIELDING_MILLISECONDS = 100;

/**
 * Runs a few tasks at once, and shares the turns between lanes: a free turn goes to the lane that has begun or ended a task longest ago, however many tasks another lane has queued. A lane alone may have all turns
 * but one, so a task of another lane waits for nobody; lanes that are active at the same time have equal parts. A lane that has a queue gives way
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

  #served(name: string, lane: Lane): void {
    lane.seenAt = this.#clock();
    this.#lanes.delete(name);
    this.#lanes.set(name, lane);
  }

  #admit(): void {
    this.#forget();
    const most = Math.max(1, Math.min(this.#turns - 1, Math.max(LEAST, Math.floor(this.#turns / this.#lanes.size))));
    while (this.#running < this.#turns) {
      const next = [...this.#lanes].find(([, lane]) => lane.waiting.length > 0 && lane.running < most && !this.#givesWay(lane));
      if (next === undefined) return;
      const [name, lane] = next;
      this.#running++;
      lane.running++;
      lane.begunAt = this.#clock();
      this.#served(name, lane);
      lane.waiting.shift()!();
    }
  }

  /** Whether the lane has a queue, and another one its only task: it is asked again when that has ended, and after a moment whatever happens. */
  #givesWay(lane: Lane): boolean {
    const left = lane.begunAt + this.#yielding - this.#clock();
    if (left <= 0 || lane.running + lane.waiting.length === 1) return false;
    const isBesideOne = [...this.#lanes.values()].some((other) => other !== lane && other.running === 1 && other.waiting.length === 0);
    if (isBesideOne) this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#admit();
    }, left).unref();
    return isBesideOne;
  }

  #forget(): void {
    const now = this.#clock();
    for (const [name, { running, waiting, seenAt }] of this.#lanes) {
      if (running === 0 && waiting.length === 0 && now - seenAt > ACTIVE_MILLISECONDS) this.#lanes.delete(name);
    }
  }
}
