/** Where the line ends, and what those are told who find no place in it. */
interface QueueLimit {
  readonly places: number;
  readonly refusal: () => Error;
}

/** Lets a few tasks run at once and the others wait in order; with a door it refuses those for whom there is no place. */
export class Semaphore {
  readonly #width: number;
  readonly #door: QueueLimit | null;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(width: number, door: QueueLimit | null = null) {
    this.#width = width;
    this.#door = door;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running === this.#width) {
      if (this.#waiting.length === this.#door?.places) throw this.#door.refusal();
      await new Promise<void>((admit) => this.#waiting.push(admit));
    } else this.#running++;
    try {
      return await task();
    } finally {
      // The place passes on to the next in line, so nobody can slip in between.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}
