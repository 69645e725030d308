/**
 * Limits the retries of all calls of a client together. Used by the transport, so that clients do not multiply the load
 * of an outage.
 */

/** Cost of a retry in tenths; a call without retries returns one tenth. */
const REPETITION = 10;

/**
 * The repetitions that a client may still spend, shared by all its calls. A repetition takes one; a call that succeeds
 * after repetitions gives them back, one that succeeds at once gives a tenth. While nothing succeeds nothing comes
 * back, so in an outage, however long, a client repeats `size` times altogether and then sends each call once: with the
 * usual 10, a thousand calls are at most 1,010 requests (101 %), and from a hundred calls on it is never above 110 %.
 */
export class RetryBudget {
  readonly #full: number;
  #left: number;

  constructor(size: number) {
    this.#full = this.#left = size * REPETITION;
  }

  take(): boolean {
    if (this.#left < REPETITION) return false;
    this.#left -= REPETITION;
    return true;
  }

  /** Records that a call succeeded after `retries` retries. */
  giveBack(retries: number): void {
    this.#left = Math.min(this.#full, this.#left + (retries * REPETITION || 1));
  }
}
