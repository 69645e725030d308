/**
 * Quotas per minute, counted in the memory of each process. Used by the request layer and authentication. With several
 * processes a client can use each one's quota; over it, requests are refused with 429 and the time to wait.
 */
import type { RateLimits as Quotas } from '../base/config.ts';
import type { Operation } from '../contract/operation.ts';
import { Problem } from '../contract/problem.ts';
import { siteOf } from './client-address.ts';

export interface RateLimitPolicy {
  readonly name: string;
  readonly quota: number;
  readonly windowSeconds: number;
}

export interface RateLimitStatus {
  readonly policy: RateLimitPolicy;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly allowed: boolean;
}

interface Window {
  used: number;
  endsAt: number;
}

const WINDOW_SECONDS = 60;

const QUOTAS = {
  default: 'requests',
  uploads: 'uploads',
  feed: 'feed',
  login: 'loginsPerAddress',
  reset: 'loginsPerAddress',
} as const satisfies Record<Operation['rateLimit'], keyof Quotas>;

/**
 * Returns the quota per minute that `x-rate-limit` names. Public operations count per address, all others per
 * principal.
 */
export function policyOf({ rateLimit }: Operation, quotas: Quotas): RateLimitPolicy {
  return { name: rateLimit, quota: quotas[QUOTAS[rateLimit]], windowSeconds: WINDOW_SECONDS };
}

/** Counts in fixed windows in memory, one for each policy and subject; each window begins with its first request. */
export class RateLimiter {
  readonly #windows = new Map<string, Window>();
  #nextSweep = 0;

  consume(policy: RateLimitPolicy, subject: string, now: number): RateLimitStatus {
    this.#sweep(now);
    const key = `${policy.name} ${subject}`;
    let window = this.#windows.get(key);
    if (window === undefined || window.endsAt <= now) {
      window = { used: 0, endsAt: now + policy.windowSeconds * 1000 };
      this.#windows.set(key, window);
    }
    const allowed = window.used < policy.quota;
    if (allowed) window.used++;
    return {
      policy,
      remaining: policy.quota - window.used,
      resetSeconds: Math.ceil((window.endsAt - now) / 1000),
      allowed,
    };
  }

  /** Returns the state of the quota without consuming any. */
  peek(policy: RateLimitPolicy, subject: string, now: number): RateLimitStatus {
    const window = this.#windows.get(`${policy.name} ${subject}`);
    if (window === undefined || window.endsAt <= now)
      return {
        policy,
        remaining: policy.quota,
        resetSeconds: policy.windowSeconds,
        allowed: true,
      };
    const remaining = policy.quota - window.used;
    return {
      policy,
      remaining,
      resetSeconds: Math.ceil((window.endsAt - now) / 1000),
      allowed: remaining > 0,
    };
  }

  /** Drops expired windows once per window length, so that memory follows the number of active callers. */
  #sweep(now: number): void {
    if (now < this.#nextSweep) return;
    this.#nextSweep = now + WINDOW_SECONDS * 1000;
    for (const [key, window] of this.#windows) if (window.endsAt <= now) this.#windows.delete(key);
  }
}

/**
 * Returns the quota of calls that search for persons by an identifier. It applies in addition to the quota of all
 * calls.
 */
export function lookupPolicy({ lookups }: Quotas): RateLimitPolicy {
  return { name: 'lookups', quota: lookups, windowSeconds: WINDOW_SECONDS };
}

/** Returns the quota that all credentials of a tenant share. */
export function tenantPolicy(perMinute: number): RateLimitPolicy {
  return { name: 'tenant', quota: perMinute, windowSeconds: WINDOW_SECONDS };
}

/**
 * Returns the header fields of draft-ietf-httpapi-ratelimit-headers-11: lists with one member for each policy that
 * applies.
 */
export function rateLimitHeaders(statuses: readonly RateLimitStatus[]): Record<string, string> {
  return {
    'RateLimit-Policy': statuses
      .map(({ policy }) => `"${policy.name}";q=${policy.quota};w=${policy.windowSeconds}`)
      .join(', '),
    'RateLimit': statuses
      .map(({ policy, remaining, resetSeconds }) => `"${policy.name}";r=${remaining};t=${resetSeconds}`)
      .join(', '),
  };
}

export function rateLimited({ resetSeconds }: RateLimitStatus): Problem {
  return new Problem('rate_limited', { retryable: true, retryAfter: resetSeconds });
}

/**
 * Slows guessing down: an address that has presented too many credentials which were never issued is refused for the
 * rest of the minute, without a look-up. Secrets that were verified before are not affected, so that an attacker behind
 * a shared address does not lock out other users of the address.
 */
export class FailedAuthenticationLimiter {
  #limiter = new RateLimiter();
  readonly #policy: RateLimitPolicy;
  readonly #clock: () => Date;

  constructor(perMinute: number, clock: () => Date) {
    this.#policy = { name: 'failed-authentications', quota: perMinute, windowSeconds: WINDOW_SECONDS };
    this.#clock = clock;
  }

  /**
   * Checks the limit before a credential is looked up. Throws 429 with the headers of this quota, because the caller's
   * own quota is not known yet.
   */
  assertBelowLimit(ip: string): void {
    const status = this.#limiter.peek(this.#policy, siteOf(ip), this.#clock().getTime());
    if (!status.allowed) throw rateLimited(status).with(rateLimitHeaders([status]));
  }

  /** Counts a credential that was not genuine. */
  count(ip: string): void {
    this.#limiter.consume(this.#policy, siteOf(ip), this.#clock().getTime());
  }

  /**
   * Clears all counts. The service calls this after its warm-up, in which it presents invalid credentials to itself.
   */
  reset(): void {
    this.#limiter = new RateLimiter();
  }
}
