/** Tests of the cost of reading the feed: writes to disk and query plans. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.ts';
import { recoveryEvents } from '../../../test/support/recovery-events.ts';
import { sql } from '../../database/index.ts';
import { FeedCursors } from './cursor.ts';
import { selectMostUrgent } from './poll-store.ts';
import { publishEvents } from './publish.ts';
import { readFeed } from './read-feed.ts';
import { readAfter } from './store.ts';
import { businessTimeAt } from '../../../test/support/business-time.ts';

const cursors = new FeedCursors(Buffer.alloc(32, 1));
const hour = 3_600_000;
let test: TestDatabase;
// A single connection, which caches its plans.
beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 1 });
});
afterAll(() => test.close());

it('a read waits for the disk only if a cursor moves a position, or an hour after the consumer was last recorded', async () => {
  const tenantId = await test.tenant();
  await test.database.transaction({ tenantId }, (tx) => publishEvents(tx, 'live', recoveryEvents(3)));
  const start = Date.now();
  // PostgreSQL gives a transaction an id when it first writes or locks a row, and only a transaction with an id waits
  // at its COMMIT.
  const read = (cursor: string | undefined, at: number, limit = 1) =>
    test.database.transaction({ tenantId }, async (tx) => {
      const now = new Date(at);
      const page = await readFeed(tx, cursors, {
        consumer: { tenantId, environment: 'live', id: 'client:a' },
        cursor,
        limit,
        now,
        businessTime: businessTimeAt(now),
      });
      const [id] = await tx.query<{ isSet: boolean }>(
        sql`SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS "isSet"`,
      );
      return { cursor: page.cursor ?? undefined, wrote: id?.isSet };
    });
  const first = await read(undefined, start);
  const moved = await read(first.cursor, start);
  const again = await read(first.cursor, start + hour / 2);
  const onward = await read(moved.cursor, start + hour / 2);
  const older = await read(first.cursor, start + hour / 2);
  const later = await read(first.cursor, start + 2 * hour);
  expect([first, moved, again, onward, older, later].map(({ wrote }) => wrote)).toEqual([
    false,
    true,
    false,
    true,
    false,
    true,
  ]);
});

it('reads are planned once per connection, and as index scans only', async () => {
  const tenantId = await test.tenant();
  const now = new Date();
  const read = () =>
    test.database.transaction({ tenantId }, (tx) =>
      readFeed(tx, cursors, {
        consumer: { tenantId, environment: 'live', id: 'client:a' },
        cursor: undefined,
        limit: 100,
        now,
        businessTime: businessTimeAt(now),
      }),
    );
  await test.sql(
    `
    INSERT INTO fr_event (tenant_id, env, seq, event_id, funds_recovery_id, event_type, status, occurred_at, dedupe_key)
    SELECT $1, 'live', n, n, gen_random_uuid(), 'FUNDS_RECOVERY_CREATED', 'CREATED', now(), n
      FROM generate_series(1, 20000) n`,
    [tenantId],
  );
  await test.sql(
    `
    INSERT INTO fr_recovery
      SELECT $1, 'live', gen_random_uuid(), (ARRAY['COMPLETED', 'ANALYSED'])[1 + n % 2], now() - n * interval '1 minute'
      FROM generate_series(1, 20000) n`,
    [tenantId],
  );
  await test.sql(`UPDATE fr_feed SET last_seq = 20000 WHERE tenant_id = $1 AND env = 'live'`, [tenantId]);
  await test.sql('ANALYZE fr_event, fr_recovery');
  for (let times = 0; times < 20; times += 1) await read();
  const planned = await test.database.transaction({ tenantId }, (tx) =>
    tx.query<{ name: string; custom: number; generic: number }>(
      sql`SELECT name, custom_plans AS custom, generic_plans AS generic FROM pg_prepared_statements
        WHERE name LIKE 'feed.%' AND generic_plans > 1`,
    ),
  );
  expect(planned.filter(({ custom }) => custom > 0)).toEqual([]);
  expect(planned.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['feed.head', 'feed.mostUrgent', 'feed.readAfter']),
  );
  for (const { text } of [readAfter, selectMostUrgent]) {
    const plan = await test.sql<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${text}`);
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).not.toMatch(/Seq Scan|Bitmap/);
  }
});
