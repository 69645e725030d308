import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.ts';
import { recoveryEvents } from '../../../test/support/recovery-events.ts';
import { acknowledgeUpTo } from './consumer.ts';
import { FeedCursors } from './cursor.ts';
import { publishEvents } from './publish.ts';

const cursors = new FeedCursors(Buffer.alloc(32, 1));

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

it('reports to one of two simultaneous acknowledgements that it has moved the consumer, and to the other that it has not', async () => {
  const tenantId = await test.tenant();
  await test.database.transaction({ tenantId }, (tx) => publishEvents(tx, 'live', recoveryEvents(1)));
  const consumer = { tenantId, environment: 'live', id: 'client:twice' } as const;
  const cursor = cursors.encode(consumer, { generation: 1, sequence: 1 });
  const acknowledge = (then: () => Promise<void>) =>
    test.database.transaction({ tenantId }, async (tx) => {
      const moved = await acknowledgeUpTo(tx, cursors, { consumer, cursor, now: new Date() });
      await then();
      return moved;
    });
  const [written, both] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = acknowledge(() => {
    written.resolve();
    return both.promise;
  });
  await written.promise;
  const second = acknowledge(async () => {});
  await expect
    .poll(
      async () =>
        (await test.sql(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`))
          .length,
    )
    .toBe(1);
  both.resolve();
  expect(await first).toEqual({ eventId: expect.any(String) });
  expect(await second).toBeNull();
});
