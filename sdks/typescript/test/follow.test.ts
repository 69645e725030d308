import { describe, expect, it } from 'vitest';
import { EnvironmentChangedError, PaginationError } from '../src/index.ts';
import { fails, hangs, json, type Handler } from './support/server.ts';
import { type Event, page, done, startFollowWorld } from './follow-world.ts';

const { server, following, asked } = await startFollowWorld();
describe('following', () => {
  it('begins at the oldest unacknowledged event, reads on at once while there is more, and acknowledges the last page before it waits', async () => {
    server.replies(page(['a', 'b'], 'c1', true, '0'), page(['c'], 'c2'), done, page([], 'c2', false, '3600'));
    const { feed, slept, collect } = following(2);
    expect(await collect()).toEqual(['a', 'b', 'c']);
    expect(asked()).toEqual(['list', 'list c1', 'ack c2', 'list c2']);
    expect(slept).toEqual([60_000, 3_600_000]);
    expect(feed.cursor).toBe('c2');
  });

  it.each<[string, Handler]>([
    [
      'with events',
      (response) =>
        json(
          response,
          200,
          { events: [{ eventId: 'simulated' }], cursor: 's1', hasMore: false },
          { 'x-environment': 'sandbox' },
        ),
    ],
    [
      'by refusing the cursor',
      (response) => json(response, 400, { code: 'invalid_cursor' }, { 'x-environment': 'sandbox' }),
    ],
    [
      'by an expired cursor',
      (response) => json(response, 400, { code: 'cursor_expired' }, { 'x-environment': 'sandbox' }),
    ],
  ])('stops when the server answers for another environment %s, and names both', async (_how, switched) => {
    server.replies(
      (response) =>
        json(response, 200, { events: [{ eventId: 'a' }], cursor: 'c1', hasMore: false }, { 'x-environment': 'live' }),
      done,
      switched,
    );
    const { feed, collect } = following(9);
    const failure = await collect().then(
      () => null,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(EnvironmentChangedError);
    expect(failure).toMatchObject({
      from: 'live',
      to: 'sandbox',
      message: expect.stringContaining('this key is not pinned') as string,
    });
    // Nothing of the other feed was processed or acknowledged.
    expect([asked(), feed.cursor]).toEqual([['list', 'ack c1', 'list c1'], 'c1']);
  });

  it('stops if the acknowledgement is refused for another environment', async () => {
    server.replies(
      (response) =>
        json(response, 200, { events: [{ eventId: 'a' }], cursor: 'c1', hasMore: false }, { 'x-environment': 'live' }),
      (response) => json(response, 400, { code: 'invalid_cursor' }, { 'x-environment': 'sandbox' }),
    );
    await expect(following(9).collect()).rejects.toBeInstanceOf(EnvironmentChangedError);
  });

  it('continues from a saved cursor, with its limit, time-out and headers', async () => {
    server.replies(page([], 'c7'));
    await following(1, {
      cursor: 'c7',
      limit: 5,
      headers: { 'x-trace': '1' },
      timeout: 5_000,
    }).collect();
    expect(server.seen.map(({ url }) => url)).toEqual(['/api/v1/funds-recovery/events?cursor=c7&limit=5']);
    expect(server.seen[0]?.headers['x-trace']).toBe('1');
  });

  it('passes each page to be saved after its last event and before anything acknowledges it', async () => {
    server.replies(page(['a'], 'c1', true), page(['b'], 'c2'), done);
    const saved: [string | null, number][] = [];
    await following(1, {
      onPage: ({ cursor }) => {
        saved.push([cursor, server.seen.length]);
      },
    }).collect();
    expect(saved).toEqual([
      ['c1', 1],
      ['c2', 2],
    ]);
  });

  it('acknowledges nothing of a page that was left, and delivers it again', async () => {
    server.replies(page(['a', 'b'], 'c1'), page(['a', 'b'], 'c1'), done);
    const { feed, collect } = following(1);
    for await (const event of feed as AsyncIterable<Event>) if (event.eventId === 'b') break;
    expect([asked(), feed.cursor]).toEqual([['list'], null]);
    expect(await collect()).toEqual(['a', 'b']);
    expect(asked()).toEqual(['list', 'list', 'ack c1']);
  });

  it('acknowledges nothing of a page that could not be saved', async () => {
    server.replies(page(['a'], 'c1', true));
    const { feed, collect } = following(1, {
      onPage: () => {
        throw new Error('disk full');
      },
    });
    await expect(collect()).rejects.toThrow('disk full');
    expect([asked(), feed.cursor]).toEqual([['list'], null]);
  });

  it('skips an answer that ends at its own start: it was processed already', async () => {
    server.replies(page(['a'], 'c1', true), page(['a'], 'c1', true), page(['b'], 'c2'), done);
    expect(await following(2).collect()).toEqual(['a', 'b']);
  });

  it('refuses events without a cursor, which could never be acknowledged', async () => {
    server.replies(page(['a'], null));
    await expect(following(1).collect()).rejects.toBeInstanceOf(PaginationError);
  });
});

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
