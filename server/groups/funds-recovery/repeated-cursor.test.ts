import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.ts';
import { recoveryEvents } from '../../../test/support/recovery-events.ts';
import { knex } from '../../database/index.ts';
import { FeedCursors } from './feed-cursor.ts';
import { publishEvents } from './publish.ts';
import { readFeed } from './read-feed.ts';

const cursors = new FeedCursors(Buffer.alloc(32, 1));
const hour = 3_600_000;
let test: TestDatabase;
beforeAll(async () => { test = await createTestDatabase(); });
afterAll(() => test.close());

it('waits for the disk only when a cursor moves a position, or an hour after the consumer was last noted', async () => {
  const tenantId = await test.tenant();
  await test.database.transaction({ tenantId }, (tx) => publishEvents(tx, 'live', recoveryEvents(3)));
  const begun = Date.now();
  // PostgreSQL gives a transaction an id when it first writes or locks a row, and only such a one waits at its COMMIT.
  const read = (cursor: string | undefined, at: number, limit = 1) => test.database.transaction({ tenantId }, async (tx) => {
    const now = new Date(at);
    const page = await readFeed(tx, cursors, { consumer: { tenantId, environment: 'live', id: 'client:a' }, cursor, limit, now, businessTime: now });
    const [id] = await tx.query<{ isSet: boolean }>(knex.raw('SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS "isSet"'));
    return { cursor: page.cursor ?? undefined, wrote: id?.isSet };
  });
  const first = await read(undefined, begun);
  const moved = await read(first.cursor, begun);
  const again = await read(first.cursor, begun + hour / 2);
  const onward = await read(moved.cursor, begun + hour / 2);
  const older = await read(first.cursor, begun + hour / 2);
  const later = await read(first.cursor, begun + 2 * hour);
  expect([first, moved, again, onward, older, later].map(({ wrote }) => wrote)).toEqual([false, true, false, true, false, true]);
});
