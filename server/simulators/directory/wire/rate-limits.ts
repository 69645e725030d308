/**
 * This file implements the rate limits of the simulated directory as token buckets (DICT API, rate limits). Used by
 * answering.ts and server.ts.
 */
import { type Document, type Rate, rates } from '../../../providers/directory/index.ts';

const perMinute = (refillTokens: number, capacity: number): Rate => ({
  refillTokens,
  capacity,
  refillPeriodSeconds: 60,
});

/** The policies of the operations that the simulator serves. Reading a recovery has none. */
export const directoryRates = {
  EVENT_LIST: rates.EVENT_LIST,
  INFRACTION_REPORTS_LIST_WITH_ROLE: rates.INFRACTION_REPORTS_LIST_WITH_ROLE,
  INFRACTION_REPORTS_LIST_WITHOUT_ROLE: perMinute(10, 50),
  REFUND_LIST_WITH_ROLE: rates.REFUND_LIST_WITH_ROLE,
  POLICIES_READ: rates.POLICIES_READ,
} as const satisfies Record<string, Rate>;

export type DirectoryPolicy = keyof typeof directoryRates;
export type DirectoryRates = Readonly<Record<DirectoryPolicy, Rate>>;

const generousRate = perMinute(2400, 2400);

/**
 * The rates for sandboxes. Their clock can be advanced by days within a second, so a client that keeps the directory's
 * rates by that clock must not be limited by the real one.
 */
export const sandboxRates: DirectoryRates = {
  EVENT_LIST: generousRate,
  INFRACTION_REPORTS_LIST_WITH_ROLE: generousRate,
  INFRACTION_REPORTS_LIST_WITHOUT_ROLE: generousRate,
  REFUND_LIST_WITH_ROLE: generousRate,
  POLICIES_READ: generousRate,
};

/** One token bucket for each policy and participant. Buckets are full when the process starts and refill evenly. */
export class Buckets {
  readonly #rates: DirectoryRates;
  readonly #clock: () => number;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  /** @param clock milliseconds of a clock that never goes back */
  constructor(rates: DirectoryRates, clock: () => number) {
    this.#rates = rates;
    this.#clock = clock;
  }

  /** Takes a token; false when none is left. */
  take(ispb: string, policy: DirectoryPolicy): boolean {
    const bucket = this.#bucket(ispb, policy);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

  /** The document of a policy; null for an unknown name. */
  describe(ispb: string, name: string): Document | null {
    if (!this.#has(name)) return null;
    const { capacity, refillTokens, refillPeriodSeconds } = this.#rates[name];
    return {
      Name: name,
      AvailableTokens: String(Math.floor(this.#bucket(ispb, name).tokens)),
      Capacity: String(capacity),
      RefillTokens: String(refillTokens),
      RefillPeriodSec: String(refillPeriodSeconds),
    };
  }

  #bucket(ispb: string, policy: DirectoryPolicy): { tokens: number; at: number } {
    const { capacity, refillTokens, refillPeriodSeconds } = this.#rates[policy];
    const key = `${ispb} ${policy}`;
    const now = this.#clock();
    const bucket = this.#buckets.get(key) ?? { tokens: capacity, at: now };
    bucket.tokens = Math.min(
      capacity,
      bucket.tokens + ((now - bucket.at) / 1000) * (refillTokens / refillPeriodSeconds),
    );
    bucket.at = now;
    this.#buckets.set(key, bucket);
    return bucket;
  }

  #has(name: string): name is DirectoryPolicy {
    return Object.hasOwn(this.#rates, name);
  }
}
