import type { RateLimits as Quotas } from '../config.ts';
import type { Operation } from '../contract/operation.ts';
import { Problem } from './problem.ts';

export interface Policy {
  readonly name: string;
  readonly quota: number;
  readonly windowSeconds: number;
}

export interface Standing {
  readonly policy: Policy;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly allowed: boolean;
}

interface Window {
  used: number;
  endsAt: number;
}

const WINDOW_SECONDS = 60;

const QUOTAS = { default: 'requests', uploads: 'uploads', feed: 'feed', login: 'loginsPerAddress', reset: 'loginsPerAddress' } as const satisfies Record<Operation['rateLimit'], keyof Quotas>;

/** Quotas per minute, as `x-rate-limit` names them. Public operations count per address, all others per principal. */
export function policyOf({ rateLimit }: Operation, quotas: Quotas): Policy {
  return { name: rateLimit, quota: quotas[QUOTAS[rateLimit]], windowSeconds: WINDOW_SECONDS };
}

/** Fixed windows in memory, one for each policy and subject; each begins with its first request. */
export class RateLimits {
  readonly #windows = new Map<string, Window>();
  #nextSweep = 0;

  take(policy: Policy, subject: string, now: number): Standing {
    this.#sweep(now);
    const key = `${policy.name} ${subject}`;
    let window = this.#windows.get(key);
    if (window === undefined || window.endsAt <= now) {
      window = { used: 0, endsAt: now + policy.windowSeconds * 1000 };
      this.#windows.set(key, window);
    }
    const allowed = window.used < policy.quota;
    if (allowed) window.used++;
    return { policy, remaining: policy.quota - window.used, resetSeconds: Math.ceil((window.endsAt - now) / 1000), allowed };
  }

  /** Whether there is quota left, without using any. */
  look(policy: Policy, subject: string, now: number): Standing {
    const window = this.#windows.get(`${policy.name} ${subject}`);
    if (window === undefined || window.endsAt <= now) return { policy, remaining: policy.quota, resetSeconds: policy.windowSeconds, allowed: true };
    const remaining = policy.quota - window.used;
    return { policy, remaining, resetSeconds: Math.ceil((window.endsAt - now) / 1000), allowed: remaining > 0 };
  }

  /** Windows that are over are dropped once a window length, so memory follows the number of active callers. */
  #sweep(now: number): void {
    if (now < this.#nextSweep) return;
    this.#nextSweep = now + WINDOW_SECONDS * 1000;
    for (const [key, window] of this.#windows) if (window.endsAt <= now) this.#windows.delete(key);
  }
}

/** Of calls that look for persons by what identifies them, beside the quota of all calls. */
export function lookupPolicy({ lookups }: Quotas): Policy {
  return { name: 'lookups', quota: lookups, windowSeconds: WINDOW_SECONDS };
}

/** The quota that all credentials of a tenant share. */
export function tenantPolicy(perMinute: number): Policy {
  return { name: 'tenant', quota: perMinute, windowSeconds: WINDOW_SECONDS };
}

/** The header fields of draft-ietf-httpapi-ratelimit-headers-11: lists, with one member for each policy that applies. */
export function rateLimitHeaders(standings: readonly Standing[]): Record<string, string> {
  return {
    'RateLimit-Policy': standings.map(({ policy }) => `"${policy.name}";q=${policy.quota};w=${policy.windowSeconds}`).join(', '),
    'RateLimit': standings.map(({ policy, remaining, resetSeconds }) => `"${policy.name}";r=${remaining};t=${resetSeconds}`).join(', '),
  };
}

export function rateLimited({ resetSeconds }: Standing): Problem {
  return new Problem('rate_limited', { retryable: true, retryAfter: resetSeconds }).with({ 'Retry-After': String(resetSeconds) });
}
