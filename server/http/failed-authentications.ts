import { siteOf } from './client-ip.ts';
import { rateLimited, rateLimitHeaders, RateLimits, type Policy } from './rate-limit.ts';

/**
 * Slows guessing down: a site that has presented too many credentials that nobody issued learns nothing more for the rest
 * of the minute, and costs no look-up. Secrets that were genuine before are not affected, so a guesser behind the same
 * address shuts nobody out who is already at work.
 */
export class FailedAuthentications {
  #limits = new RateLimits();
  readonly #policy: Policy;
  readonly #clock: () => Date;

  constructor(perMinute: number, clock: () => Date) {
    this.#policy = { name: 'failed-authentications', quota: perMinute, windowSeconds: 60 };
    this.#clock = clock;
  }

  /** Before a credential is looked up; throws 429, with the headers of this quota, because the caller's own is not known yet. */
  assertFew(ip: string): void {
    const standing = this.#limits.look(this.#policy, siteOf(ip), this.#clock().getTime());
    if (!standing.allowed) throw rateLimited(standing).with(rateLimitHeaders([standing]));
  }

  /** A credential was not genuine. */
  count(ip: string): void {
    this.#limits.take(this.#policy, siteOf(ip), this.#clock().getTime());
  }

  /** The service presents made-up credentials to itself while it warms up. */
  forget(): void {
    this.#limits = new RateLimits();
  }
}
