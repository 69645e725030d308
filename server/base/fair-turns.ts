/** Whoever waits in one queue: a tenant. */
interface Lane {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Runs a few tasks at once, and shares the turns between lanes: a free turn goes to the lane that has begun or ended a task longest ago, however many tasks another lane has queued. No lane ever has all turns, so a task of a
 * lane that has none running waits for no task of a single other lane. Tasks of one lane run in the order in which they came.
 */
export class FairTurns {
  readonly #turns: number;
  readonly #most: number;
  /** Those that have begun or ended a task longest ago come first. A lane that has nothing to do is forgotten. */
  readonly #lanes = new Map<string, Lane>();
  #running = 0;

  constructor(turns: number) {
    this.#turns = turns;
    this.#most = Math.max(1, turns - 1);
  }

  async run<T>(name: string, task: () => Promise<T>): Promise<T> {
    await new Promise<void>((admit) => {
      const lane = this.#lanes.get(name) ?? { running: 0, waiting: [] };
      if (!this.#lanes.has(name)) this.#lanes.set(name, lane);
      lane.waiting.push(admit);
      this.#admit();
    });
    try {
      return await task();
    } finally {
      this.#running--;
      const lane = this.#lanes.get(name)!;
      lane.running--;
      this.#lanes.delete(name);
      if (lane.running > 0 || lane.waiting.length > 0) this.#lanes.set(name, lane);
      this.#admit();
    }
  }

  #admit(): void {
    while (this.#running < this.#turns) {
      const next = [...this.#lanes].find(([, { running, waiting }]) => waiting.length > 0 && running < this.#most);
      if (next === undefined) return;
      const [name, lane] = next;
      this.#running++;
      lane.running++;
      this.#lanes.delete(name);
      this.#lanes.set(name, lane);
      lane.waiting.shift()!();
    }
  }
}
