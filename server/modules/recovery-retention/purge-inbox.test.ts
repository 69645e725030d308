/** Tests of deleting old pages of the directory. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.ts';
import type { Environment } from '../../contract/operation.ts';
import { knex } from '../../database/index.ts';
import { purgeInbox } from './purge.ts';

const day = 24 * 60 * 60_000;
const running = new AbortController().signal;
const now = new Date();

let test: TestDatabase;
let tenantId: string;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());
beforeEach(async () => {
  tenantId = await test.tenant();
});

const receive = (env: Environment, daysAgo: number, count = 1) =>
  test.sql(
    `
  INSERT INTO dict_inbox (tenant_id, env, ispb, received_at, verdict) SELECT $1, $2, '12345678', $3, 'processed'
    FROM generate_series(1, $4)`,
    [tenantId, env, new Date(now.getTime() - daysAgo * day), count],
  );

const left = async () =>
  await test.sql<{ env: string; count: number }>(
    'SELECT env, count(*)::integer AS count FROM dict_inbox WHERE tenant_id = $1 GROUP BY env ORDER BY env',
    [tenantId],
  );

const purge = (aheadDays = 0, at = now) =>
  purgeInbox(test.database, { id: tenantId, sandboxAheadMilliseconds: aheadDays * day }, at, running);

it('keeps live pages for 400 days and those of a sandbox for a week of its clock', async () => {
  for (const days of [399, 401]) await receive('live', days);
  for (const days of [-20, 6, 8]) await receive('sandbox', days);
  expect(await purge()).toBe(2);
  expect(await left()).toEqual([
    { env: 'live', count: 1 },
    { env: 'sandbox', count: 2 },
  ]);
  expect(await purge(30)).toBe(2);
  expect(await left()).toEqual([{ env: 'live', count: 1 }]);
});

it('removes all of them, in batches', async () => {
  await receive('live', 401, 2_100);
  await receive('live', 500);
  expect(await purge()).toBe(2_101);
});

it('deletes nothing too early if the service’s clock is ahead of the database’s, which would refuse the deletion', async () => {
  await receive('live', 399);
  expect(await purge(0, new Date(now.getTime() + 2 * day))).toBe(0);
  await expect(
    test.database.transaction({ tenantId }, (tx) => tx.query(knex('dict_inbox').where({ tenant_id: tenantId }).del())),
  ).rejects.toMatchObject({ code: '42501' });
});
