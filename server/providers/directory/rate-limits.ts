/**
 * The directory's rate limits, and a token bucket that keeps callers below them. Used by connection.ts and, through the
 * index, by recovery-ingestion. A rate that is too high gets the participant refused.
 */
import type { Policy } from './directory.ts';

/** Refill of a token bucket, as the directory publishes it (DICT API, rate limits). */
export type Rate = Omit<Policy, 'availableTokens'>;

const perMinute = (refillTokens: number, capacity: number): Rate => ({
  refillTokens,
  capacity,
  refillPeriodSeconds: 60,
});

/**
 * The directory's limits per participant. It publishes none for reading recoveries, so ours are in proportion to the
 * others: a burst of five minutes.
 */
export const rates = {
  EVENT_LIST: perMinute(40, 200),
  INFRACTION_REPORTS_LIST_WITH_ROLE: perMinute(40, 200),
  REFUND_LIST_WITH_ROLE: perMinute(40, 200),
  POLICIES_READ: perMinute(60, 200),
  FUNDS_RECOVERIES: perMinute(60, 300),
} as const satisfies Record<string, Rate>;

export type PolicyName = keyof typeof rates;

/** Keeps callers below a rate: a caller waits for its token instead of being refused by the directory. */
export class TokenBucket {
  #rate: Rate;
  #tokens: number;
  #at: number;
  readonly #clock: () => number;

  /** @param clock milliseconds of a clock that never goes back */
  constructor(rate: Rate, clock: () => number) {
    this.#rate = rate;
    this.#tokens = rate.capacity;
    this.#clock = clock;
    this.#at = clock();
  }

  /**
   * Returns the seconds until the caller's token is available. Returns null and takes no token if that is more than
   * `patience`.
   */
  take(patience: number): number | null {
    this.#refill();
    const wait = Math.max(0, (1 - this.#tokens) * this.#secondsPerToken());
    if (wait > patience) return null;
    this.#tokens -= 1;
    return wait;
  }

  /** Takes over the directory's own state of the bucket. */
  correct(policy: Policy): void {
    this.#rate = policy;
    this.#tokens = policy.availableTokens;
    this.#at = this.#clock();
  }

  /** Tokens left now; negative while callers wait. */
  get tokens(): number {
    this.#refill();
    return this.#tokens;
  }

  empty(): void {
    this.#refill();
    this.#tokens = Math.min(this.#tokens, 0);
  }

  /** Returns the whole seconds until the next token is available. */
  secondsToNext(): number {
    this.#refill();
    return Math.max(1, Math.ceil((1 - this.#tokens) * this.#secondsPerToken()));
  }

  #refill(): void {
    const now = this.#clock();
    this.#tokens = Math.min(this.#rate.capacity, this.#tokens + (now - this.#at) / 1000 / this.#secondsPerToken());
    this.#at = now;
  }

  #secondsPerToken(): number {
    return this.#rate.refillPeriodSeconds / this.#rate.refillTokens;
  }
}
