/** Test that writers of several audit chains do not deadlock. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { withinTenant } from '../database/index.ts';
import { appendAudit } from './chain.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 8 });
});
afterAll(() => test.close());

it('writes into several chains in one order, so that two writers of the same chains do not deadlock', async () => {
  const tenants = [await test.tenant(), await test.tenant(), await test.tenant()];
  const write = (chains: readonly string[]) =>
    test.database.platform({ tenantId: chains[0] as string }, async (tx) => {
      for (const id of chains) {
        appendAudit(withinTenant(tx, id), {
          occurredAt: new Date().toISOString(),
          environment: 'live',
          actor: {
            type: 'system',
            id: 'test',
            display: 'Test',
            impersonatorId: null,
          },
          action: 'settings.updated',
          resource: { type: 'settings', id: null },
          outcome: 'success',
        });
      }
    });
  const [a, b, c] = tenants as [string, string, string];
  await Promise.all(
    Array.from({ length: 40 }, () => [
      [a, b, c],
      [c, b, a],
      [b, a],
      [a, c],
      [c, a],
    ])
      .flat()
      .map(write),
  );
  const heads = await test.sql<{ sequence: number }>(
    `SELECT sequence::int FROM audit_head WHERE tenant_id = ANY ($1) AND chain = 'open' ORDER BY tenant_id`,
    [tenants],
  );
  expect(heads.map(({ sequence }) => sequence).sort()).toEqual([120, 160, 200]);
});
