/** Tests of deleting old events of the feed. An event that somebody still waits for must stay. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.ts';
import { recoveryEvents } from '../../../test/support/recovery-events.ts';
import type { Environment } from '../../contract/operation.ts';
import { knex } from '../../database/index.ts';
import { FeedCursors } from '../recovery-feed/cursor.ts';
import { type NewEvent, publishEvents } from '../recovery-feed/publish.ts';
import { readFeed } from '../recovery-feed/read-feed.ts';
import { purgeFeed } from './purge.ts';
import { businessTimeAt } from '../../../test/support/business-time.ts';

const cursors = new FeedCursors(Buffer.alloc(32, 1));
const running = new AbortController().signal;
const day = 24 * 60 * 60_000;

let test: TestDatabase;
let tenantId: string;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());
beforeEach(async () => {
  tenantId = await test.tenant();
});

const ended = (count: number): NewEvent[] =>
  recoveryEvents(count).map((event, n) => (n === count - 1 ? { ...event, status: 'COMPLETED' } : event));

const publish = (events: readonly NewEvent[], env: Environment = 'live') =>
  test.database.transaction({ tenantId }, (tx) => publishEvents(tx, env, events));

/** Sets the age in days of the events up to this one. */
const age = (seq: number, days: number) =>
  test.sql(`UPDATE fr_event SET received_at = now() - $3 * interval '1 day' WHERE tenant_id = $1 AND seq <= $2`, [
    tenantId,
    seq,
    days,
  ]);

const read = (id: string, cursor?: string, limit = 100, env: Environment = 'live') =>
  test.database.transaction({ tenantId }, (tx) => {
    const now = new Date();
    return readFeed(tx, cursors, {
      consumer: { tenantId, environment: env, id },
      cursor,
      limit,
      now,
      businessTime: businessTimeAt(now),
    });
  });

/** Adds a consumer that has acknowledged this number of events and last polled this number of days ago. */
async function consumer(id: string, acknowledged: number, daysAgo = 0): Promise<void> {
  if (acknowledged > 0) await read(id, (await read(id, undefined, acknowledged)).cursor ?? undefined);
  await test.sql(`UPDATE fr_consumer SET last_polled_at = $2 WHERE consumer_id = $1`, [
    id,
    new Date(Date.now() - daysAgo * day),
  ]);
}

const state = async (env: Environment = 'live') => {
  const [head] = await test.sql<{ floor: number }>(
    'SELECT floor_seq::integer AS floor FROM fr_feed WHERE tenant_id = $1 AND env = $2',
    [tenantId, env],
  );
  const rows = await test.sql<{ seq: number }>(
    'SELECT seq::integer FROM fr_event WHERE tenant_id = $1 AND env = $2 ORDER BY seq',
    [tenantId, env],
  );
  return { floor: head?.floor, seqs: rows.map(({ seq }) => seq) };
};

const purge = () => purgeFeed(test.database, tenantId, running);

describe('the purge of a feed', () => {
  it('deletes events after 400 days and moves the floor behind them', async () => {
    await publish(recoveryEvents(6));
    await age(4, 401);
    expect(await purge()).toBe(4);
    expect(await state()).toEqual({ floor: 4, seqs: [5, 6] });
    expect((await read('client:new')).events.map(({ seq }) => seq)).toEqual([5, 6]);
    expect(await purge()).toBe(0);
  });

  it('keeps an event until it is 400 days old, to the second', async () => {
    await publish(recoveryEvents(2));
    await age(2, 399.99);
    expect(await purge()).toBe(0);
    expect((await state()).floor).toBe(0);
  });

  it('waits for consumers that have polled in the last 90 days', async () => {
    await publish(recoveryEvents(6));
    await consumer('client:slow', 2, 89);
    await consumer('client:fast', 5);
    await age(6, 500);
    expect(await purge()).toBe(2);
    expect((await state()).floor).toBe(2);
    await consumer('client:slow', 2, 91);
    expect(await purge()).toBe(3);
    expect(await state()).toEqual({ floor: 5, seqs: [6] });
  });

  it('waits for no consumer after 800 days', async () => {
    await publish(recoveryEvents(6));
    await consumer('client:slow', 1);
    await age(6, 500);
    await age(4, 801);
    expect(await purge()).toBe(4);
    expect((await read('client:slow')).events.map(({ seq }) => seq)).toEqual([5, 6]);
  });

  it('rejects an expired cursor, and accepts a call without one', async () => {
    await publish(recoveryEvents(4));
    const { cursor } = await read('client:a', undefined, 1);
    const { cursor: atFloor } = await read('client:a', undefined, 3);
    await age(3, 401);
    await purge();
    await expect(read('client:a', cursor ?? '')).rejects.toMatchObject({ code: 'cursor_expired' });
    expect((await read('client:a', atFloor ?? '')).events.map(({ seq }) => seq)).toEqual([4]);
    expect((await read('client:a')).events.map(({ seq }) => seq)).toEqual([4]);
  });

  it('rejects the cursor of a reader if the purge overtakes it between head and page', async () => {
    await publish(recoveryEvents(4));
    const { cursor } = await read('client:a', undefined, 1);
    await test.sql(`UPDATE fr_event SET env = 'sandbox' WHERE tenant_id = $1 AND seq <= 2`, [tenantId]);
    await expect(read('client:a', cursor ?? '')).rejects.toMatchObject({ code: 'cursor_expired' });
  });

  it('removes nothing that a concurrent reader still needs', async () => {
    await publish(recoveryEvents(300));
    await age(300, 500);
    const seen: number[] = [];
    let page = await read('client:a', undefined, 7);
    await read('client:a', page.cursor ?? '', 1);
    const purging = (async () => {
      while (seen.length < 300) await purge();
    })();
    for (;;) {
      seen.push(...page.events.map(({ seq }) => seq));
      if (!page.hasMore) break;
      page = await read('client:a', page.cursor ?? '', 7);
    }
    await purging;
    await purge();
    expect(seen).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
    // The last page is acknowledged when its cursor is presented.
    expect((await state()).floor).toBe(294);
  });

  it('keeps an old event behind a recent one, so that the sequence stays dense', async () => {
    await publish(recoveryEvents(3));
    await test.sql(`UPDATE fr_event SET received_at = now() - interval '900 days' WHERE tenant_id = $1 AND seq <> 2`, [
      tenantId,
    ]);
    expect(await purge()).toBe(1);
    expect(await state()).toEqual({ floor: 1, seqs: [2, 3] });
  });

  it('works along the sequence, in batches', async () => {
    await publish(recoveryEvents(2_300));
    await age(2_300, 401);
    expect(await purge()).toBe(2_300);
    expect(await state()).toEqual({ floor: 2_300, seqs: [] });
    await publish(recoveryEvents(1));
    expect(await state()).toEqual({ floor: 2_300, seqs: [2_301] });
  });

  it('finishes the deletion of an interrupted round', async () => {
    await publish(recoveryEvents(3));
    await age(2, 401);
    await test.sql(`UPDATE fr_feed SET floor_seq = 2 WHERE tenant_id = $1 AND env = 'live'`, [tenantId]);
    expect(await purge()).toBe(2);
    expect((await state()).seqs).toEqual([3]);
  });

  it('does nothing after it was aborted', async () => {
    await publish(recoveryEvents(1));
    await age(1, 401);
    expect(await purgeFeed(test.database, tenantId, AbortSignal.abort())).toBe(0);
    expect((await state()).seqs).toEqual([1]);
  });

  it('deletes an ended recovery with its last event, and no other', async () => {
    const [gone, open, later] = [ended(2), recoveryEvents(1), ended(2)];
    for (const events of [gone, open, later]) await publish(events);
    await age(4, 401);
    expect(await purge()).toBe(4);
    const left = await test.sql<{ id: string }>(
      'SELECT funds_recovery_id AS id FROM fr_recovery WHERE tenant_id = $1',
      [tenantId],
    );
    expect(left.map(({ id }) => id).sort()).toEqual([open[0]?.fundsRecoveryId, later[0]?.fundsRecoveryId].sort());
  });

  it('uses real time in the sandbox, too', async () => {
    await test.sql('UPDATE tenant SET sandbox_clock_offset_seconds = 1000 * 86400 WHERE id = $1', [tenantId]);
    await publish(recoveryEvents(3), 'sandbox');
    expect(await purge()).toBe(0);
    await age(2, 401);
    expect(await purge()).toBe(2);
    expect(await state('sandbox')).toEqual({ floor: 2, seqs: [3] });
  });
});

describe('the database', () => {
  const remove = (table: string) =>
    test.database.transaction({ tenantId }, (tx) => tx.query(knex(table).where({ tenant_id: tenantId }).del()));
  const refused = { code: '42501' };

  it('refuses to delete a live event that is recent, or that a reader can still request', async () => {
    await publish(recoveryEvents(2));
    await test.sql(`UPDATE fr_feed SET floor_seq = 2 WHERE tenant_id = $1 AND env = 'live'`, [tenantId]);
    await expect(remove('fr_event')).rejects.toMatchObject(refused);
    await age(2, 401);
    await test.sql(`UPDATE fr_feed SET floor_seq = 1 WHERE tenant_id = $1 AND env = 'live'`, [tenantId]);
    await expect(remove('fr_event')).rejects.toMatchObject(refused);
    expect((await state()).seqs).toEqual([1, 2]);
  });

  it('refuses to delete a live recovery that has events', async () => {
    await publish(ended(1));
    await expect(remove('fr_recovery')).rejects.toMatchObject(refused);
  });

  it('allows the payload of an event to be erased, and no other change', async () => {
    await publish(recoveryEvents(1));
    const change = (changes: object) =>
      test.database.transaction({ tenantId }, (tx) =>
        tx.query(knex('fr_event').where({ tenant_id: tenantId }).update(changes)),
      );
    await expect(change({ status: 'CANCELLED' })).rejects.toMatchObject(refused);
    await expect(change({ raw_payload: '{}' })).rejects.toMatchObject(refused);
    await change({ raw_payload: null });
    expect((await read('client:a')).events).toMatchObject([{ rawPayload: null, status: 'TRACKED' }]);
  });
});
