/** So many at once and no more, in the order in which they came. */
export class Turns {
  readonly #width: number;
  readonly #waiting: (() => void)[] = [];
  #working = 0;

  constructor(width: number) {
    this.#width = width;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#working >= this.#width) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#working += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#working -= 1;
      else next();
    }
  }
}
