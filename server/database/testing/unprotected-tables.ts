/** Database whose tables only triggers protect, for tests of these triggers. */
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.ts';
import { rowOfEveryTable } from '../../../test/support/row-of-every-table.ts';
import { roles } from '../roles.ts';

export const ROLES = ['app', 'platform'] as const;
type RoleName = (typeof ROLES)[number];

export interface UnprotectedTables {
  readonly test: TestDatabase;
  readonly tenantId: string;
  readonly clients: Readonly<Record<RoleName, pg.Client>>;
}

/**
 * Prepares a database with a row of every table for the tests of a file. Every right is granted and every row is
 * visible in it, so that only the triggers can refuse a change.
 */
export function unprotectedTables(): UnprotectedTables {
  const clients = {} as Record<RoleName, pg.Client>;
  const prepared = { clients } as { test: TestDatabase; tenantId: string; clients: typeof clients };
  beforeAll(async () => {
    const test = await createTestDatabase();
    prepared.test = test;
    await test.sql(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${roles.app}, ${roles.platform}`);
    prepared.tenantId = await rowOfEveryTable(test);
    for (const { name } of await test.sql<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relrowsecurity`,
    )) {
      await test.sql(
        `CREATE POLICY everything ON ${name} TO ${roles.app}, ${roles.platform} USING (true) WITH CHECK (true)`,
      );
    }
    for (const { name, table } of await test.sql<{ name: string; table: string }>(
      `SELECT polname AS name, polrelid::regclass::text AS table FROM pg_policy WHERE NOT polpermissive`,
    )) {
      await test.sql(`DROP POLICY ${name} ON ${table}`);
    }
    for (const role of ROLES) {
      clients[role] = new pg.Client(test[role]);
      await clients[role].connect();
    }
  });
  afterAll(async () => {
    for (const role of ROLES) await clients[role].end();
    await prepared.test.close();
  });
  return prepared;
}
