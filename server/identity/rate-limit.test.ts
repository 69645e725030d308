/** Tests of the request quotas. */
import { describe, expect, it } from 'vitest';
import { rateLimited, RateLimiter, rateLimitHeaders, tenantPolicy } from './rate-limit.ts';

const policy = { name: 'default', quota: 3, windowSeconds: 60 };

describe('a quota', () => {
  it('is counted per subject and policy, and is reset at the end of its window', () => {
    const limits = new RateLimiter();
    expect([1, 2, 3, 4].map(() => limits.consume(policy, 'a', 0).allowed)).toEqual([true, true, true, false]);
    expect(limits.consume(policy, 'b', 0).allowed).toBe(true);
    expect(limits.consume({ ...policy, name: 'uploads' }, 'a', 0).allowed).toBe(true);
    expect(limits.consume(policy, 'a', 59_999).allowed).toBe(false);
    expect(limits.consume(policy, 'a', 60_000)).toMatchObject({ allowed: true, remaining: 2, resetSeconds: 60 });
  });

  it('is stated in the header fields of the IETF draft', () => {
    const limits = new RateLimiter();
    limits.consume(policy, 'a', 0);
    expect(rateLimitHeaders([limits.consume(policy, 'a', 20_500)])).toEqual({
      'RateLimit-Policy': '"default";q=3;w=60',
      'RateLimit': '"default";r=1;t=40',
    });
    expect(
      rateLimitHeaders([limits.consume(policy, 'a', 20_500), limits.consume(tenantPolicy(9), 't', 20_500)]),
    ).toEqual({
      'RateLimit-Policy': '"default";q=3;w=60, "tenant";q=9;w=60',
      'RateLimit': '"default";r=0;t=40, "tenant";r=8;t=60',
    });
  });

  it('that is used up states when to retry', () => {
    const problem = rateLimited({
      policy,
      remaining: 0,
      resetSeconds: 12,
      allowed: false,
    });
    expect(problem).toMatchObject({ status: 429, members: { retryable: true, retryAfter: 12 } });
  });
});
