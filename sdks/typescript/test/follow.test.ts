/** Tests of following a feed: order, acknowledging, saved cursors. */
import { describe, expect, it } from 'vitest';
import { EnvironmentChangedError, PaginationError } from '../src/index.ts';
import { asked, done, type Event, following, page, server } from './support/following.ts';
import { listener } from './support/listener.ts';
import { json, type Handler } from './support/server.ts';

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

describe('an item that is no event', () => {
  const mixed: Handler = (response) =>
    json(
      response,
      200,
      { events: [{ eventId: 'a' }, null, { eventType: 'CANARY' }, { eventId: 'b' }], cursor: 'c1', hasMore: false },
      { 'x-poll-interval': '60' },
    );

  it('is delivered as it came, with a warning that shows nothing of it, and the cursor moves', async () => {
    server.replies(mixed, done, page([], 'c1'));
    const events: unknown[] = [];
    const warnings: unknown[] = [];
    const stopping = new AbortController();
    const client = server.client({
      accessToken: 'token',
      ...listener((event, message, level) => level === 'warn' && warnings.push([message, event.type])),
    });
    for await (const event of client.fundsRecovery.events.follow({
      signal: stopping.signal,
      clock: { sleep: async () => stopping.abort(), random: () => 0 },
    }))
      events.push(event);
    expect(events).toEqual([{ eventId: 'a' }, null, { eventType: 'CANARY' }, { eventId: 'b' }]);
    expect(asked()).toEqual(['list', 'ack c1']);
    expect(warnings).toEqual([
      ['GET /api/v1/funds-recovery/events an item is no object', 'poison'],
      ['GET /api/v1/funds-recovery/events an item has no eventId', 'poison'],
    ]);
  });

  it('is passed to an optional handler, and omitted from the loop', async () => {
    server.replies(mixed, done);
    const poison: unknown[] = [];
    expect(
      await following(1, {
        onPoison: async (item, reason) => {
          poison.push([item, reason]);
        },
      }).collect(),
    ).toEqual(['a', 'b']);
    expect(poison).toEqual([
      [null, 'is no object'],
      [{ eventType: 'CANARY' }, 'has no eventId'],
    ]);
    expect(asked()).toEqual(['list', 'ack c1']);
  });

  it('is acknowledged like others once it was handled, though nothing else was on its page', async () => {
    server.replies((response) => json(response, 200, { events: [7], cursor: 'c1', hasMore: false }), done);
    expect(await following(1, { onPoison: () => undefined }).collect()).toEqual([]);
    expect(asked()).toEqual(['list', 'ack c1']);
  });

  it('is not acknowledged if it could not be handled', async () => {
    server.replies(mixed);
    await expect(
      following(1, {
        onPoison: () => {
          throw new Error('disk full');
        },
      }).collect(),
    ).rejects.toThrow('disk full');
    expect(asked()).toEqual(['list']);
  });
});
