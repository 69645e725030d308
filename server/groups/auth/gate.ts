/** Lets a few tasks run at once, a bounded number wait in order, and refuses the rest at the door. */
export class Gate {
  readonly #width: number;
  readonly #places: number;
  readonly #refusal: () => Error;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(width: number, places: number, refusal: () => Error) {
    this.#width = width;
    this.#places = places;
    this.#refusal = refusal;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running === this.#width) {
      if (this.#waiting.length === this.#places) throw this.#refusal();
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
