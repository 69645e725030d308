/** Tests of publishing and reading the feed of recovery events. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.ts';
import { knex } from '../../database/index.ts';
import { FeedCursors } from './cursor.ts';
import { pollWindows } from './poll-schedule.ts';
import { selectMostUrgent } from './poll-store.ts';
import { type NewEvent, publishEvents } from './publish.ts';
import { readFeed } from './read-feed.ts';
import { readAfter } from './store.ts';
import { businessTimeAt } from '../../../test/support/business-time.ts';

const cursors = new FeedCursors(Buffer.alloc(32, 1));
const RECOVERY = '5f0c6a1e-3c2b-4d1a-9e8f-7a6b5c4d3e2f';
let test: TestDatabase;
let tenantId: string;

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 10 });
});
afterAll(() => test.close());
beforeEach(async () => {
  tenantId = await test.tenant();
});

function event(n: number, changes: Partial<NewEvent> = {}): NewEvent {
  return {
    fundsRecoveryId: RECOVERY,
    eventType: 'FUNDS_RECOVERY_TRACKED',
    status: 'TRACKED',
    dedupeKey: `fact:${n}`,
    occurredAt: new Date(Date.UTC(2026, 10, 20) + n * 1000).toISOString(),
    rawPayload: { N: String(n) },
    ...changes,
  };
}

const publish = (...events: NewEvent[]) =>
  test.database.transaction({ tenantId }, (tx) => publishEvents(tx, 'live', events));

const read = (cursor?: string, { limit = 100, id = 'client:a', now = new Date() } = {}) =>
  test.database.transaction({ tenantId }, (tx) =>
    readFeed(tx, cursors, {
      consumer: { tenantId, environment: 'live', id },
      cursor,
      limit,
      now,
      businessTime: businessTimeAt(now),
    }),
  );

const keysOf = (page: { events: readonly { rawPayload: Record<string, unknown> | null }[] }) =>
  page.events.map(({ rawPayload }) => rawPayload?.['N']);

describe('publishing', () => {
  it('numbers events without holes in the order of their time', async () => {
    expect(await publish(event(2), event(1), event(3))).toBe(3);
    expect(keysOf(await read())).toEqual(['1', '2', '3']);
  });

  it('drops facts that were published already, also within one batch', async () => {
    await publish(event(1));
    expect(await publish(event(1), event(2), event(2))).toBe(1);
    expect(keysOf(await read())).toEqual(['1', '2']);
  });

  it('leaves no hole when a transaction is rolled back', async () => {
    await publish(event(1));
    await expect(
      test.database.transaction({ tenantId }, async (tx) => {
        await publishEvents(tx, 'live', [event(2)]);
        throw new Error('the publisher died');
      }),
    ).rejects.toThrow('the publisher died');
    await publish(event(3));
    expect((await read()).events.map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it('delivers every event exactly once to a reader that follows sixteen concurrent publishers', async () => {
    let publishing = true;
    const publishers = Promise.all(
      Array.from({ length: 16 }, async (_, publisher) => {
        for (let batch = 0; batch < 12; batch += 1) {
          const facts = Array.from({ length: 3 }, (__, n) => event(batch * 8 + publisher + n));
          await publish(...facts);
        }
      }),
    ).finally(() => {
      publishing = false;
    });
    const seen: number[] = [];
    let cursor: string | undefined;
    for (let more = true; publishing || more; ) {
      const page = await read(cursor, { limit: 7 });
      seen.push(...page.events.map(({ seq }) => seq));
      cursor = page.cursor ?? undefined;
      more = page.hasMore;
    }
    await publishers;
    const rows = await test.sql<{ seq: string }>('SELECT seq FROM fr_event WHERE tenant_id = $1 ORDER BY seq', [
      tenantId,
    ]);
    seen.push(...(await read(cursor)).events.map(({ seq }) => seq));
    expect(seen).toEqual(rows.map(({ seq }) => Number(seq)));
    expect(seen).toEqual(Array.from({ length: seen.length }, (_, n) => n + 1));
  });
});

describe('reading', () => {
  it('acknowledges nothing if a page is received, and everything up to a cursor if the cursor is presented', async () => {
    await publish(...[1, 2, 3, 4, 5].map((n) => event(n)));
    const first = await read(undefined, { limit: 2 });
    expect(keysOf(first)).toEqual(['1', '2']);
    expect(first.hasMore).toBe(true);
    expect(keysOf(await read(undefined, { limit: 2 }))).toEqual(['1', '2']);
    expect(keysOf(await read(first.cursor!, { limit: 2 }))).toEqual(['3', '4']);
    expect(keysOf(await read(undefined, { limit: 2 }))).toEqual(['3', '4']);
  });

  it('replays from an older cursor without moving the position back', async () => {
    await publish(...[1, 2, 3].map((n) => event(n)));
    const first = await read(undefined, { limit: 1 });
    const second = await read(first.cursor!, { limit: 1 });
    await read(second.cursor!);
    expect(keysOf(await read(first.cursor!))).toEqual(['2', '3']);
    expect(keysOf(await read())).toEqual(['3']);
  });

  it('gives every consumer a position of its own', async () => {
    await publish(event(1), event(2));
    const page = await read(undefined, { limit: 1 });
    await read(page.cursor!);
    expect(keysOf(await read())).toEqual(['2']);
    expect(keysOf(await read(undefined, { id: 'user:b' }))).toEqual(['1', '2']);
  });

  it('returns a cursor at the end, and none for a feed that never carried an event', async () => {
    expect(await read()).toMatchObject({ events: [], cursor: null, hasMore: false });
    await publish(event(1));
    const end = await read();
    const after = await read(end.cursor!);
    expect(after).toMatchObject({ events: [], cursor: end.cursor, hasMore: false });
  });

  it('ends a page at one mebibyte of payload, but never before its first event', async () => {
    const large = { Text: 'x'.repeat(700_000) };
    await publish(
      event(1, { rawPayload: large }),
      event(2, { rawPayload: large }),
      event(3, { rawPayload: { Text: 'x'.repeat(1_500_000) } }),
    );
    const first = await read();
    expect([first.events.length, first.hasMore]).toEqual([1, true]);
    const second = await read(first.cursor!);
    expect([second.events.length, second.hasMore]).toEqual([1, true]);
    const third = await read(second.cursor!);
    expect([third.events.length, third.hasMore]).toEqual([1, false]);
  });

  it('keeps an event whose payload was erased, with null as the payload', async () => {
    await publish(event(1, { rawPayload: null }));
    expect((await read()).events[0]!.rawPayload).toBeNull();
  });

  it.each([
    ['of an older generation', 'UPDATE fr_feed SET generation = generation + 1 WHERE tenant_id = $1'],
    ['below the retention floor', 'UPDATE fr_feed SET floor_seq = 2 WHERE tenant_id = $1 AND last_seq > 0'],
    ['beyond the head', 'UPDATE fr_feed SET last_seq = 0 WHERE tenant_id = $1'],
  ])('refuses a cursor %s as expired and moves no position', async (_what, change) => {
    await publish(event(1), event(2));
    const { cursor } = await read(undefined, { limit: 1 });
    await test.sql(change, [tenantId]);
    await expect(read(cursor!)).rejects.toMatchObject({ code: 'cursor_expired' });
    expect(await test.sql('SELECT 1 FROM fr_consumer WHERE tenant_id = $1', [tenantId])).toEqual([]);
  });

  it('starts a new consumer at the retention floor', async () => {
    await publish(event(1), event(2), event(3));
    await test.sql('UPDATE fr_feed SET floor_seq = 1 WHERE tenant_id = $1 AND last_seq > 0', [tenantId]);
    expect(keysOf(await read())).toEqual(['2', '3']);
  });
});

describe('the polling hint', () => {
  const hour = 3_600_000;

  it.each([
    ['a recovery of the last hour', [event(0, { status: 'CREATED', occurredAt: '2026-11-20T14:30:00.000Z' })], 300],
    [
      'a recovery in analysis on day 3',
      [event(0, { status: 'AWAITING_ANALYSIS', occurredAt: '2026-11-17T12:00:00.000Z' })],
      3600,
    ],
    [
      'a recovery in analysis on day 5',
      [event(0, { status: 'AWAITING_ANALYSIS', occurredAt: '2026-11-15T12:00:00.000Z' })],
      21_600,
    ],
    ['a refund request due today', [event(0, { status: 'ANALYSED', occurredAt: '2026-11-17T16:00:00.000Z' })], 900],
    [
      'a refund request whose 72 hours are over',
      [event(0, { status: 'ANALYSED', occurredAt: '2026-11-17T14:00:00.000Z' })],
      21_600,
    ],
    ['only closed recoveries', [event(0, { status: 'COMPLETED', occurredAt: '2026-11-20T14:30:00.000Z' })], 75_600],
  ])('follows %s', async (_what, events, seconds) => {
    await publish(...events);
    const { pollSeconds } = await read(undefined, { now: new Date('2026-11-20T15:00:00.000Z') });
    expect(Math.abs(pollSeconds - seconds)).toBeLessThanOrEqual(seconds / 10);
  });

  it('counts the days of analysis from the creation, not from the last event', async () => {
    const created = Date.UTC(2026, 10, 17, 12);
    await publish(event(1, { status: 'CREATED', occurredAt: new Date(created).toISOString() }));
    await publish(event(2, { status: 'AWAITING_ANALYSIS', occurredAt: new Date(created + 50 * hour).toISOString() }));
    const { pollSeconds } = await read(undefined, { now: new Date('2026-11-20T15:00:00.000Z') });
    expect(Math.abs(pollSeconds - 3600)).toBeLessThanOrEqual(360);
  });
});

it('finds the most urgent recovery by one index, however many recoveries are open', async () => {
  await test.sql(
    `
    INSERT INTO fr_recovery
      SELECT $1, 'live', gen_random_uuid(), (ARRAY['AWAITING_ANALYSIS', 'ANALYSED'])[1 + n % 2],
      now() - n * interval '1 minute'
    FROM generate_series(1, 20000) n`,
    [tenantId],
  );
  await test.sql('ANALYZE fr_recovery');
  const { lastHour, day3, day7, limit72h } = pollWindows(businessTimeAt(Date.now()));
  const values = selectMostUrgent.bind({
    tenantId,
    environment: 'live',
    lastHour,
    day3From: day3.from,
    day3To: day3.to,
    day7From: day7.from,
    day7To: day7.to,
    limit72h,
  });
  const plan = await test.database.transaction({ tenantId }, (tx) =>
    tx.query<{ 'QUERY PLAN': string }>(
      knex.raw(`EXPLAIN ${selectMostUrgent.text.replaceAll(/\$\d+/g, '?')}`, values as (string | Date)[]),
    ),
  );
  const text = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(text).not.toMatch(/Seq Scan|Bitmap/);
  expect(text.match(/Scan using fr_recovery_open/g)).toHaveLength(7);
});

it('reads a page by the primary key, however long the feed is', async () => {
  await publish(...Array.from({ length: 5000 }, (_, n) => event(n)));
  await test.sql('ANALYZE fr_event');
  const text = readAfter.text.replace(
    /\$\d/g,
    (parameter) => [`'${tenantId}'`, `'live'`, '100', '101'][Number(parameter[1]) - 1]!,
  );
  const plan = await test.database.transaction({ tenantId }, (tx) =>
    tx.query<{ 'QUERY PLAN': string }>(knex.raw(`EXPLAIN ${text}`)),
  );
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index Scan using fr_event_pkey/);
});
