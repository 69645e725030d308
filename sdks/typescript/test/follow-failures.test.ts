/** Tests of following a feed through failures, and of how often it asks. */
import { describe, expect, it } from 'vitest';
import { AuthenticationError, BadRequestError, NotFoundError, PermissionDeniedError } from '../src/index.ts';
import { asked, done, type Event, following, page, server } from './support/following.ts';
import { breaks, fails, hangs } from './support/server.ts';

describe('the cadence', () => {
  it.each([
    ['what the server asks for', '900', {}, 900_000],
    ['a minute, where the server is silent', '', {}, 60_000],
    ['a second at least', '0', {}, 1_000],
    ['as long as the caller wants at least', '60', { minInterval: 90_000 }, 90_000],
    ['no longer than the caller wants', '86400', { maxInterval: 5_000 }, 5_000],
    ['no longer than a timer can', '99999999', {}, 2 ** 31 - 1],
  ])('is %s', async (_what, interval, options, ms) => {
    server.replies(page([], 'c1', false, interval));
    const { slept, collect } = following(1, options);
    await collect();
    expect(slept).toEqual([ms]);
  });
});

describe('a temporary failure', () => {
  it('waits as long as the answer says, however long that is, and reports the reason', async () => {
    server.replies(
      fails(429, 'rate_limited', { 'retry-after': '7' }),
      fails(503, 'dependency_unavailable', { 'retry-after': '3600' }),
      page(['a'], 'c1'),
      done,
    );
    const told: [string, number][] = [];
    const { slept, collect } = following(3, { onRetry: (failure, delayMs) => told.push([failure.name, delayMs]) });
    expect(await collect()).toEqual(['a']);
    expect(slept).toEqual([7_000, 3_600_000, 60_000]);
    expect(told).toEqual([
      ['RateLimitError', 7_000],
      ['ServerError', 3_600_000],
    ]);
  });

  it('continues although the hook that reports it fails', async () => {
    server.replies(fails(503, 'dependency_unavailable'), page(['a'], 'c1'), done);
    expect(
      await following(2, {
        onRetry: () => {
          throw new Error('disk full');
        },
      }).collect(),
    ).toEqual(['a']);
  });

  it('waits longer after each failure in a row, up to a minute, and starts anew after a success', async () => {
    server.replies(...Array.from({ length: 9 }, () => breaks), page([], 'c1'), breaks, page([], 'c1'));
    const { slept, collect } = following(12);
    await collect();
    expect(slept).toEqual([1_000, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 60_000, 1_000, 60_000]);
  });

  it('continues after time-outs, presenting the same cursor', async () => {
    server.replies(page(['a'], 'c1', true), hangs, hangs, page(['b'], 'c2'), done);
    expect(await following(3, { timeout: 200 }).collect()).toEqual(['a', 'b']);
    expect(asked()).toEqual(['list', 'list c1', 'list c1', 'list c1', 'ack c2']);
  });

  it('leaves an acknowledgement that failed to the next request', async () => {
    server.replies(page(['a'], 'c1'), fails(503, 'dependency_unavailable', { 'retry-after': '300' }), page([], 'c1'));
    const { slept, collect } = following(2);
    await collect();
    expect(asked()).toEqual(['list', 'ack c1', 'list c1']);
    expect(slept).toEqual([300_000, 60_000]);
  });

  it('starts again without a cursor if its cursor has expired', async () => {
    server.replies(
      page(['a'], 'c1'),
      fails(400, 'cursor_expired'),
      fails(400, 'cursor_expired'),
      page(['b'], 'd1'),
      done,
    );
    expect(await following(2).collect()).toEqual(['a', 'b']);
    expect(asked()).toEqual(['list', 'ack c1', 'list c1', 'list', 'ack d1']);
  });
});

describe('a permanent failure', () => {
  it.each([
    [400, 'invalid_cursor', BadRequestError],
    [401, 'token_expired', AuthenticationError],
    [403, 'insufficient_scope', PermissionDeniedError],
    [404, 'not_found', NotFoundError],
  ])('is thrown at once: %i %s', async (status, code, type) => {
    server.replies(fails(status, code));
    const { slept, collect } = following(1, { cursor: 'c1' });
    await expect(collect()).rejects.toBeInstanceOf(type);
    expect([server.seen.length, slept]).toEqual([1, []]);
  });

  it('is thrown if it refuses the acknowledgement, too', async () => {
    server.replies(page(['a'], 'c1'), fails(403, 'insufficient_scope'));
    await expect(following(1).collect()).rejects.toBeInstanceOf(PermissionDeniedError);
  });
});

describe('stopping', () => {
  const real = (): { feed: AsyncIterable<Event>; stop: () => void } => {
    const stopping = new AbortController();
    const feed = server.client({ accessToken: 'token' }).fundsRecovery.events.follow({ signal: stopping.signal });
    return { feed, stop: () => stopping.abort() };
  };

  it.each([
    ['in a pause', page([], 'c1', false, '3600')],
    ['in a request', hangs],
    ['after a failure', fails(503, 'dependency_unavailable', { 'retry-after': '3600' })],
  ])('ends the loop at once and without an error %s', async (_when, reply) => {
    const { feed, stop } = real();
    // Counted from the arrival of the request, however long a busy machine takes to send it.
    server.replies((response, seen, index) => {
      setTimeout(stop, 40);
      reply(response, seen, index);
    });
    const begun = performance.now();
    for await (const event of feed) expect.fail(event.eventId);
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(server.seen).toHaveLength(1);
  });

  it('ends the loop within a page and acknowledges nothing of it', async () => {
    server.replies(page(['a', 'b'], 'c1', true));
    const { feed, collect, stop } = following(9, { onPage: () => expect.fail('the page was not processed') });
    for await (const _ of feed as AsyncIterable<Event>) stop();
    expect([asked(), feed.cursor, await collect()]).toEqual([['list'], null, []]);
  });

  it('counts a page whose last event was processed, so that its cursor can be saved', async () => {
    server.replies(page(['a', 'b'], 'c1', true));
    const { feed, stop } = following(9);
    for await (const event of feed as AsyncIterable<Event>) if (event.eventId === 'b') stop();
    expect([asked(), feed.cursor]).toEqual([['list'], 'c1']);
  });
});
