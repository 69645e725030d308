/**
 * Numbers that look random and are the same for the same seed (mulberry32), so that a failing run can be repeated.
 * Used by the property tests.
 */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number up to and including `most`. */
  upTo(most: number): number {
    return Math.floor(this.next() * (most + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.upTo(choices.length - 1)]!;
  }
}
