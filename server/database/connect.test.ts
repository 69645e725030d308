import { afterAll, beforeAll, expect, it } from 'vitest';
import { silent } from '../../test/support/silent.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { createPool } from './connect.ts';

let database: TestDatabase;
beforeAll(async () => { database = await createTestDatabase(); });
afterAll(() => database.close());

it.each([
  ['while it is handed out', false],
  ['after it was thrown away', true],
])('a connection that breaks %s does not end the process', async (_when, thrownAway) => {
  const { pool, close } = createPool(database.app, { size: 1, log: silent });
  const client = await pool.connect();
  if (thrownAway) client.release(new Error('broken'));
  expect(() => client.emit('error', new Error('terminating connection due to unexpected postmaster exit'))).not.toThrow();
  if (!thrownAway) client.release();
  await close();
});
