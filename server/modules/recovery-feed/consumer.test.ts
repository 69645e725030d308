/** Test of two acknowledgements at the same time by one consumer of the feed. */
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

it("moves the consumer's position only by the first of two simultaneous acknowledgements with one cursor", async () => {
  const tenantId = await test.tenant();
  await test.database.transaction({ tenantId }, (tx) => publishEvents(tx, 'live', recoveryEvents(1)));
  const consumer = { tenantId, environment: 'live', id: 'client:twice' } as const;
  const cursor = cursors.encode(consumer, { generation: 1, sequence: 1 });
  const acknowledge = (beforeCommit: () => Promise<void>) =>
    test.database.transaction({ tenantId }, async (tx) => {
      const position = await acknowledgeUpTo(tx, cursors, { consumer, cursor, now: new Date() });
      await beforeCommit();
      return position;
    });
  const [firstHasWritten, firstMayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = acknowledge(() => {
    firstHasWritten.resolve();
    return firstMayCommit.promise;
  });
  await firstHasWritten.promise;
  const second = acknowledge(async () => {});
  await expect
    .poll(
      async () =>
        (await test.sql(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`))
          .length,
    )
    .toBe(1);
  firstMayCommit.resolve();
  expect(await first).toEqual({ eventId: expect.any(String) });
  expect(await second).toBeNull();
});
