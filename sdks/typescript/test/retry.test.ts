/**
 * Tests of which calls are repeated, how often, and after which pause. A call that must not happen twice fails here.
 */
import { describe, expect, it } from 'vitest';
import { ConflictError, ConnectionError, ServerError, RateLimitError } from '../src/index.ts';
import { askedWait, retryAfter } from '../src/core/retry-after.ts';
import { retryDelay } from '../src/core/retry.ts';
import { listener } from './support/listener.ts';
import { answers, breaks, closedAddress, fails, TestServer } from './support/server.ts';

const server = await new TestServer().start();
const now = { 'retry-after': '0' };
const draft = { purpose: 'account_opening', applicant: { fullName: 'Ana Souza' } } as const;

describe('retries', () => {
  it('repeats a read that met 408, 425, 429, 500 and 503 until it succeeds', async () => {
    for (const [status, code] of [
      [408, 'timeout'],
      [425, 'too_early'],
      [429, 'rate_limited'],
      [500, 'internal_error'],
      [503, 'overloaded'],
    ] as const) {
      server.replies(fails(status, code, now), fails(status, code, now), answers({ id: 'a' }));
      await expect(server.client().applications.get('a')).resolves.toEqual({ id: 'a' });
      expect(server.seen).toHaveLength(3);
    }
  });

  it('gives up after maxRetries and throws the last failure', async () => {
    server.replies(fails(503, 'overloaded', now));
    await expect(server.client({ maxRetries: 1 }).applications.get('a')).rejects.toBeInstanceOf(ServerError);
    expect(server.seen).toHaveLength(2);
    await expect(server.client().applications.get('a', { maxRetries: 0 })).rejects.toBeInstanceOf(ServerError);
    expect(server.seen).toHaveLength(3);
  });

  it('does not repeat a request that the server refused for good', async () => {
    for (const [status, code] of [
      [400, 'invalid_parameter'],
      [403, 'insufficient_scope'],
      [404, 'not_found'],
      [422, 'validation_failed'],
    ] as const) {
      server.replies(fails(status, code, now));
      await expect(server.client().applications.create(draft)).rejects.toMatchObject({ status, code });
      expect(server.seen).toHaveLength(1);
    }
  });

  it('repeats a conflict only if the problem says so, as it does while the first call with the same key is running', async () => {
    server.replies(fails(409, 'idempotency_in_progress', now, { retryable: true }), answers({ id: 'a' }, 201));
    await expect(server.client().applications.create(draft)).resolves.toEqual({ id: 'a' });
    server.replies(fails(409, 'duplicate_external_id', now));
    await expect(server.client().applications.create(draft)).rejects.toBeInstanceOf(ConflictError);
    expect(server.seen).toHaveLength(1);
  });

  it('does not repeat what the problem calls permanent, nor a method that the server does not know', async () => {
    server.replies(fails(503, 'overloaded', now, { retryable: false }));
    await expect(server.client().applications.get('a')).rejects.toMatchObject({ status: 503, retryable: false });
    server.replies(fails(501, 'not_implemented', now));
    await expect(server.client().applications.get('a')).rejects.toMatchObject({ status: 501, retryable: false });
    expect(server.seen).toHaveLength(1);
  });

  it('keeps one idempotency key over all attempts, and takes another for the next call', async () => {
    server.replies(fails(503, 'overloaded', now), breaks, answers({ id: 'a' }, 201));
    await server.client().applications.create(draft);
    const keys = server.seen.map((seen) => seen.headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    await server.client().applications.create(draft);
    expect(server.seen.at(-1)?.headers['idempotency-key']).not.toBe(keys[0]);
  });

  it('sends the idempotency key of the caller', async () => {
    server.replies(fails(503, 'overloaded', now), answers({ id: 'a' }, 201));
    await server.client().applications.create(draft, { idempotencyKey: 'order-7' });
    await server.client().applications.create(draft, { headers: { 'idempotency-key': 'order-8' } });
    expect(server.seen.map((seen) => seen.headers['idempotency-key'])).toEqual(['order-7', 'order-7', 'order-8']);
  });

  it('sends no idempotency key with operations that do not declare it', async () => {
    server.replies(answers({ id: 'a' }));
    await server.client().applications.get('a');
    await server.client({ accessToken: 't' }).auth.refresh({ refreshToken: 'r' });
    expect(server.seen.map((seen) => seen.headers['idempotency-key'])).toEqual([undefined, undefined]);
  });

  it('does not repeat a POST without a key whose effect is unknown', async () => {
    const login = () => server.client().auth.login({ email: 'a@example.com', password: 'x' });
    server.replies(fails(503, 'overloaded', now));
    await expect(login()).rejects.toBeInstanceOf(ServerError);
    expect(server.seen).toHaveLength(1);
    server.replies(breaks);
    await expect(login()).rejects.toBeInstanceOf(ConnectionError);
    expect(server.seen).toHaveLength(1);
  });

  it('repeats a POST without a key after a rate limit or a refused connection, which had no effect', async () => {
    server.replies(fails(429, 'rate_limited', now), answers({ accessToken: 't' }));
    await expect(server.client().auth.login({ email: 'a@example.com', password: 'x' })).resolves.toEqual({
      accessToken: 't',
    });
    const events: string[] = [];
    const client = server.client({
      baseUrl: await closedAddress(),
      maxRetries: 1,
      ...listener(({ type }) => events.push(type)),
    });
    const failure = await client.auth.login({ email: 'a@example.com', password: 'x' }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConnectionError);
    expect(failure).toMatchObject({ unreached: true });
    expect(events).toEqual(['request', 'failure', 'retry', 'request', 'failure']);
  });

  it('does not repeat a merge patch, which is not idempotent by its method', async () => {
    server.replies(fails(503, 'overloaded', now));
    await expect(server.client().applications.update('a', {})).rejects.toBeInstanceOf(ServerError);
    expect(server.seen).toHaveLength(1);
  });

  it('repeats after a broken connection, also in the middle of an answer', async () => {
    server.replies(
      breaks,
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '90' }).write('{"id":');
        setTimeout(() => response.socket?.destroy(), 20);
      },
      answers({ id: 'a' }),
    );
    await expect(server.client().applications.get('a')).resolves.toEqual({ id: 'a' });
    expect(server.seen).toHaveLength(3);
  });

  it('waits as long as Retry-After asks', async () => {
    server.replies(fails(429, 'rate_limited', { 'retry-after': '1' }), answers({ id: 'a' }));
    await server.client().applications.get('a');
    const [first, second] = server.seen;
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(990);
  });

  it('waits until the spent quota of RateLimit is restored if Retry-After is missing', async () => {
    server.replies(
      fails(429, 'rate_limited', { ratelimit: '"burst";r=3;t=50, "default";r=0;t=1' }),
      answers({ id: 'a' }),
    );
    await server.client().applications.get('a');
    const [first, second] = server.seen;
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(990);
    expect(second!.at - first!.at).toBeLessThan(5000);
  });

  it('throws at once if Retry-After is longer than a minute or than the deadline allows', async () => {
    server.replies(fails(429, 'rate_limited', { 'retry-after': '61' }));
    const failure = await server
      .client()
      .applications.get('a')
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RateLimitError);
    expect(failure).toMatchObject({ retryable: true, retryAfter: 61_000 });
    server.replies(fails(429, 'rate_limited', { 'retry-after': '5' }));
    const started = performance.now();
    await expect(server.client().applications.get('a', { deadline: 1000 })).rejects.toBeInstanceOf(RateLimitError);
    expect(performance.now() - started).toBeLessThan(4500);
  });
});

describe('the pause before a retry', () => {
  const failure = new ConnectionError(new Error('reset'));

  it('grows exponentially with full jitter up to eight seconds', () => {
    expect([0, 1, 2, 3, 4, 9].map((retries) => retryDelay(failure, retries, true, () => 1))).toEqual([
      500, 1000, 2000, 4000, 8000, 8000,
    ]);
    expect(retryDelay(failure, 3, true, () => 0)).toBe(0);
  });

  it('reads Retry-After as seconds, decimals too, or as an HTTP date', () => {
    expect(retryAfter(new Headers({ 'retry-after': '3' }))).toBe(3000);
    expect(retryAfter(new Headers({ 'retry-after': '2.5' }))).toBe(2500);
    expect(
      retryAfter(new Headers({ 'retry-after': 'Sun, 06 Nov 1994 08:49:39 GMT' }), Date.UTC(1994, 10, 6, 8, 49, 37)),
    ).toBe(2000);
    expect(retryAfter(new Headers({ 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }))).toBe(0);
    expect(retryAfter(new Headers({ 'retry-after': 'soon' }))).toBeNull();
    expect(retryAfter(new Headers())).toBeNull();
  });

  it('uses RateLimit only for a refusal, only from a spent quota, and only if Retry-After is missing', () => {
    const wait = (status: number, ratelimit: string, more: Record<string, string> = {}): number | null =>
      askedWait(status, new Headers({ ratelimit, ...more }));
    expect(wait(429, '"default";r=0;t=12')).toBe(12_000);
    expect(wait(503, '"a";r=0;t=3, "b";t=9;r=0')).toBe(9_000);
    expect(wait(429, '"default";r=0;t=12', { 'retry-after': '2' })).toBe(2_000);
    for (const [status, quota] of [
      [500, '"a";r=0;t=3'],
      [429, '"a";r=01;t=3'],
      [429, '"a";r=5;t=3'],
      [429, '"a";r=0'],
      [429, ''],
    ] as const)
      expect(wait(status, quota)).toBeNull();
  });
});
