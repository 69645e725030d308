/** Tests that the statements about members use an index, beside many members of another tenant. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.ts';
import { knex } from '../../database/index.ts';
import { listQuery, type UserOrder } from './store.ts';

const PEOPLE = 5_000;

let test: TestDatabase;
let tenantId: string;

/**
 * Creates a tenant with few members beside many members of another tenant, so that only an index finds them quickly.
 */
beforeAll(async () => {
  test = await createTestDatabase();
  tenantId = await test.tenant();
  const crowd = await test.tenant();
  await test.sql(
    `INSERT INTO user_account (id, email_normalised, email, name, password_hash)
    SELECT gen_random_uuid(), n || '@example.com', n || '@example.com', 'Person ' || n, 'x'
      FROM generate_series(1, $1) n`,
    [PEOPLE],
  );
  await test.sql(
    `INSERT INTO membership (tenant_id, user_id, role) SELECT CASE WHEN row_number() OVER () <= 20 THEN $1::uuid
      ELSE $2::uuid END, id, 'analyst' FROM user_account`,
    [tenantId, crowd],
  );
  await test.sql('VACUUM ANALYZE');
});
afterAll(() => test.close());

it.each<UserOrder['by']>(['name', 'lastLoginAt', 'createdAt'])(
  'lists members by %s through an index that starts with the tenant',
  async (by) => {
    const after = by === 'name' ? ['person', tenantId] : ['2026-01-01T00:00:00Z', tenantId];
    const query = {
      filter: { roles: [], statuses: [] },
      order: { by, direction: 'desc' as const },
      after,
      count: 26,
    };
    const { sql, bindings } = listQuery(tenantId, query, new Date()).toSQL();
    const plan = await test.database.transaction({ tenantId }, (tx) =>
      tx.query<Record<'QUERY PLAN', string>>(knex.raw(`EXPLAIN ${sql}`, [...bindings] as never[])),
    );
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toMatch(/Index .*Scan.* (using|on) membership_\w+ |Bitmap Index Scan on membership_/);
    expect(text).not.toMatch(/Seq Scan on (membership|user_account)/);
  },
);
