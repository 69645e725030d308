/** What a call that needed no repetition gives back. */
const REWARD = 0.1;

/**
 * The repetitions that a client may still spend, shared by all its calls. A repetition takes one; a call that succeeds after
 * repetitions gives them back, one that succeeds at once gives a tenth. While nothing succeeds nothing comes back, so
 * in an outage, however long, a client repeats `size` times altogether and then sends each call once: with the
 * usual 10, a thousand calls are at most 1,010 requests (101 %), and from a hundred calls on it is never above 110 %.
 */
export class RetryBudget {
  readonly #size: number;
  #left: number;

  constructor(size: number) {
    this.#size = this.#left = size;
  }

  take(): boolean {
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }

  /** A call succeeded after `retries` repetitions. */
  giveBack(retries: number): void {
    this.#left = Math.min(this.#size, this.#left + (retries || REWARD));
  }
}
