/** Tests of periodic work that visits every tenant. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { PLATFORM_TENANT_ID } from '../database/roles.ts';
import { EVERY_STATUS, forEachTenant } from './store.ts';

let test: TestDatabase;
let ids: string[];
const running = new AbortController().signal;
beforeAll(async () => {
  test = await createTestDatabase();
  ids = [await test.tenant(), await test.tenant(), await test.tenant()].sort();
});
afterAll(() => test.close());

describe('work for every tenant', () => {
  it('visits each tenant once, except closed ones and the platform', async () => {
    const closed = await test.tenant();
    await test.sql(`UPDATE tenant SET status = 'closed' WHERE id = $1`, [closed]);
    await test.sql('UPDATE tenant SET sandbox_clock_offset_seconds = 60 WHERE id = $1', [ids[0]]);
    const seen: [string, number][] = [];
    const sum = await forEachTenant(test.database, running, async ({ id, sandboxAheadMilliseconds }) =>
      seen.push([id, sandboxAheadMilliseconds]),
    );
    expect(seen).toEqual(ids.map((id, index) => [id, index === 0 ? 60_000 : 0]));
    expect(seen.map(([id]) => id)).not.toContain(PLATFORM_TENANT_ID);
    expect(sum).toBe(1 + 2 + 3);
  });

  it('visits suspended and closed tenants if their statuses are included', async () => {
    const [suspended, closed] = [await test.tenant(), await test.tenant()];
    await test.sql(
      `UPDATE tenant SET status = CASE WHEN id = $1 THEN 'suspended' ELSE 'closed' END WHERE id IN ($1, $2)`,
      [suspended, closed],
    );
    const seen: string[] = [];
    await forEachTenant(test.database, running, async ({ id }) => seen.push(id), EVERY_STATUS);
    expect(seen).toEqual(expect.arrayContaining([suspended, closed, ...ids]));
  });

  it('continues after a tenant for which it fails, and fails at the end', async () => {
    const seen: string[] = [];
    const work = forEachTenant(test.database, running, async ({ id }) => {
      seen.push(id);
      if (id === ids[0]) throw new Error('only here');
      return 1;
    });
    await expect(work).rejects.toMatchObject({
      message: expect.stringContaining(ids[0] ?? ''),
      cause: { message: 'only here' },
    });
    expect(seen).toEqual(ids);
  });

  it('ends between two tenants if it is aborted', async () => {
    const stopping = new AbortController();
    const seen: string[] = [];
    await forEachTenant(test.database, stopping.signal, async ({ id }) => {
      stopping.abort();
      return seen.push(id);
    });
    expect(seen).toEqual([ids[0]]);
  });
});
