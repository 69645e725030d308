/** Tests of walking lists by item and by page. */
import { describe, expect, it } from 'vitest';
import { Page, PaginationError } from '../src/index.ts';
import { answers, fails, json, TestServer } from './support/server.ts';

const server = await new TestServer().start();
const client = (): ReturnType<TestServer['client']> => server.client({ accessToken: 'token' });

/** A feed of pages; each cursor is the number of the page that it leads to. */
function feed(...pages: string[][]): void {
  server.replies((response, seen) => {
    const at = Number(seen.query.get('cursor') ?? 0);
    json(response, 200, {
      events: (pages[at] ?? []).map((eventId) => ({ eventId })),
      cursor: String(at + 1),
      hasMore: at + 1 < pages.length,
    });
  });
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('a list', () => {
  it('returns the first page when awaited, with the cursor to save', async () => {
    feed(['a', 'b'], ['c']);
    const page = await client().fundsRecovery.events.list({ limit: 2 });
    expect(page).toBeInstanceOf(Page);
    expect(page.items.map((event) => event.eventId)).toEqual(['a', 'b']);
    expect([page.cursor, page.hasMore]).toEqual(['1', true]);
    expect(server.seen.map((seen) => seen.url)).toEqual(['/api/v1/funds-recovery/events?limit=2']);
  });

  it('walks all pages when iterated, keeping the other parameters', async () => {
    feed(['a', 'b'], ['c'], ['d']);
    const events = await collect(client().fundsRecovery.events.list({ limit: 2 }));
    expect(events.map((event) => event.eventId)).toEqual(['a', 'b', 'c', 'd']);
    expect(server.seen.map((seen) => seen.url.split('?')[1])).toEqual([
      'limit=2',
      'limit=2&cursor=1',
      'limit=2&cursor=2',
    ]);
  });

  it('leaves what is no item in its place, unless a handler takes it', async () => {
    const items = [{ id: 'a' }, 'text', { id: null }, { id: 'b', invented: true }];
    server.replies(answers({ items, cursor: null, hasMore: false }));
    expect((await client().applications.list()).items).toEqual(items);
    const poison: unknown[] = [];
    const page = await client().applications.list(
      {},
      {
        onPoison: (item, reason) => {
          poison.push([item, reason]);
        },
      },
    );
    expect([page.items, page.received]).toEqual([[{ id: 'a' }, { id: 'b', invented: true }], 4]);
    expect(poison).toEqual([
      ['text', 'is no object'],
      [{ id: null }, 'has no id'],
    ]);
  });

  it('goes on from a saved cursor', async () => {
    feed(['a'], ['b'], ['c']);
    const events = await collect(client().fundsRecovery.events.list({ cursor: '1' }));
    expect(events.map((event) => event.eventId)).toEqual(['b', 'c']);
  });

  it('walks page by page, so that a cursor can be saved after each', async () => {
    feed(['a'], ['b', 'c']);
    const pages = await collect(client().fundsRecovery.events.list().pages());
    expect(pages.map((page) => [page.items.length, page.cursor])).toEqual([
      [1, '1'],
      [2, '2'],
    ]);
  });

  it('goes on over an empty page that says there is more', async () => {
    feed(['a'], [], [], ['b']);
    const events = await collect(client().fundsRecovery.events.list());
    expect(events.map((event) => event.eventId)).toEqual(['a', 'b']);
  });

  it('requests the next page only after every item of this one was taken, since the request acknowledges', async () => {
    feed(['a', 'b'], ['c']);
    for await (const event of client().fundsRecovery.events.list()) {
      if (event.eventId === 'b') break;
    }
    expect(server.seen).toHaveLength(1);
  });

  it('refuses to stop silently if there is more but no cursor, and names the page', async () => {
    server.replies(
      answers({ events: [{ eventId: 'a' }], cursor: '1', hasMore: true }),
      answers({ events: [], cursor: null, hasMore: true }),
    );
    await expect(collect(client().fundsRecovery.events.list())).rejects.toThrow(
      new PaginationError('Page 2 of the list says that more follows but gives no cursor to reach it'),
    );
  });

  it('refuses to walk in circles, in one step or in several, and says from where to where', async () => {
    server.replies(answers({ events: [], cursor: 'same', hasMore: true }));
    await expect(collect(client().fundsRecovery.events.list())).rejects.toThrow(
      'Page 2 of the list leads back to page 2',
    );
    expect(server.seen).toHaveLength(2);
    server.replies((response, seen) =>
      json(response, 200, { events: [], cursor: seen.query.get('cursor') === 'x' ? 'y' : 'x', hasMore: true }),
    );
    await expect(collect(client().fundsRecovery.events.list())).rejects.toThrow(
      'Page 3 of the list leads back to page 2',
    );
    expect(server.seen).toHaveLength(3);
    await expect(collect(client().fundsRecovery.events.list({ cursor: 'x' }))).rejects.toThrow(
      'Page 2 of the list leads back to page 1',
    );
  });

  it('returns the same next page however often it is requested', async () => {
    feed(['a'], ['b'], ['c']);
    const first = await client().fundsRecovery.events.list();
    const [second, again] = [await first.nextPage(), await first.nextPage()];
    expect(again?.items).toEqual(second?.items);
    expect((await second?.nextPage())?.items.map((event) => event.eventId)).toEqual(['c']);
  });

  it('stops in the middle of a walk if the caller aborts', async () => {
    feed(['a'], ['b'], ['c']);
    const controller = new AbortController();
    const walk = async (): Promise<void> => {
      for await (const event of client().fundsRecovery.events.list({}, { signal: controller.signal }))
        if (event.eventId === 'b') controller.abort();
    };
    await expect(walk()).rejects.toThrow('aborted');
    expect(server.seen).toHaveLength(2);
  });

  it('ends at a page without more, whatever its cursor', async () => {
    server.replies(answers({ items: [{ id: 'a' }], cursor: null, hasMore: false }));
    expect(await collect(server.client().applications.list())).toEqual([{ id: 'a' }]);
    const page = await server.client().applications.list();
    expect(await page.nextPage()).toBeNull();
  });

  it('repeats a filter that takes several values', async () => {
    server.replies(answers({ items: [], cursor: null, hasMore: false }));
    await server.client().applications.list({ status: ['draft', 'submitted'] });
    expect(server.seen[0]?.query.getAll('status')).toEqual(['draft', 'submitted']);
  });

  it('retries a page in the middle of the walk', async () => {
    let failed = false;
    feed(['a'], ['b']);
    const healthy = server.handler;
    server.handler = (response, seen, index) => {
      if (seen.query.get('cursor') !== '1' || failed) return healthy(response, seen, index);
      failed = true;
      return fails(503, 'overloaded', { 'retry-after': '0' })(response, seen, index);
    };
    const events = await collect(client().fundsRecovery.events.list());
    expect(events.map((event) => event.eventId)).toEqual(['a', 'b']);
  });

  it('returns the response beside the page', async () => {
    server.replies(
      answers({ events: [], cursor: null, hasMore: false }, 200, {
        'x-next-poll-at': '2026-11-21T12:00:00.000Z',
        'x-request-id': 'r-9',
      }),
    );
    const { data, response, requestId } = await client().fundsRecovery.events.list().withResponse();
    expect([data.hasMore, response.headers.get('x-next-poll-at'), requestId]).toEqual([
      false,
      '2026-11-21T12:00:00.000Z',
      'r-9',
    ]);
  });
});
