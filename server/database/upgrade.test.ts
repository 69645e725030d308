/** Tests that a database of the last release is migrated to the schema of a new one. */
import '../start.ts';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { dumpSchema } from '../../test/support/schema-dump.ts';
import { createTestDatabase, type TestDatabase, testSecret } from '../../test/support/postgres.ts';
import { RELEASED_SCHEMA } from '../../test/support/released-schema.ts';
import { silent } from '../../test/support/silent.ts';
import { secretsFrom } from '../base/secrets.ts';
import { type DatabaseLogin, loginAs, rolePassword } from './database-login.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { withClient } from './pool.ts';
import { provision } from './provision.ts';
import { tables } from './table.ts';

const secrets = secretsFrom(testSecret);
let fresh: TestDatabase;
let administrator: DatabaseLogin;
let upgraded: DatabaseLogin;
/** How many rows each table of the release had. */
let released: Record<string, number>;

const counted = (names: readonly string[]): Promise<Record<string, number>> =>
  withClient(upgraded, async (client) => {
    const found: Record<string, number> = {};
    for (const name of names) {
      const { rows } = await client.query<{ count: number }>(`SELECT count(*)::integer AS count FROM ${name}`);
      found[name] = rows[0]!.count;
    }
    return found;
  });

beforeAll(async () => {
  fresh = await createTestDatabase();
  const { host, port } = inject('postgres');
  const location = {
    host,
    port,
    database: `test_${randomBytes(8).toString('hex')}`,
    ssl: false,
  };
  const login = { ...location, user: 'postgres', password: rolePassword('superuser', secrets) };
  administrator = { ...login, database: 'postgres' };
  upgraded = login;
  await provision(administrator, location, secrets);
  await withClient(upgraded, async (client) => {
    await client.query(readFileSync(RELEASED_SCHEMA, 'utf8'));
    const { rows } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
        AND relname NOT LIKE 'schema_migration%'`,
    );
    released = await counted(rows.map(({ name }) => name));
  });
  await migrate(loginAs('owner', location, secrets), silent);
});
afterAll(async () => {
  await withClient(administrator, (client) =>
    client.query(`DROP DATABASE IF EXISTS ${upgraded.database} WITH (FORCE)`),
  );
  await fresh.close();
});

describe('a database of the last release', () => {
  it('has a row in every table, so that migrations meet one', () => {
    expect(Object.keys(released).length).toBeGreaterThan(60);
    expect(Object.entries(released).filter(([, count]) => count === 0)).toEqual([]);
  });

  it('equals a new database after its migration: tables, constraints, policies, triggers, functions, rights', async () => {
    const expected = new Set((await withClient(fresh.superuser, dumpSchema)).map(withoutOrder));
    const found = new Set((await withClient(upgraded, dumpSchema)).map(withoutOrder));
    expect(found.size).toBeGreaterThan(700);
    expect([...found].filter((one) => !expected.has(one))).toEqual([]);
    expect([...expected].filter((one) => !found.has(one))).toEqual([]);
    expect(
      await withClient(upgraded, (client) => client.query('SELECT name FROM schema_migration ORDER BY id')),
    ).toEqual(expect.objectContaining({ rows: migrations.map(({ name }) => ({ name })) }));
  });

  it('keeps its rows', async () => {
    const names = Object.keys(released).filter((name) => tables.some((table) => table.name === name));
    // Every tenant got a second audit log, with a head of its own.
    const kept: Record<string, number | undefined> = { ...released, audit_head: 2 * released['audit_head']! };
    expect(await counted(names)).toEqual(Object.fromEntries(names.map((name) => [name, kept[name]])));
  });
});

/** A migration adds columns at the end of a table, where a new database may have them elsewhere. */
function withoutOrder(statement: string): string {
  if (!statement.startsWith('CREATE TABLE ')) return statement;
  const [first, ...columns] = statement.split(/,?\n(?= {2}\S)/);
  return [first, ...columns.map((column) => column.replace(/\n\)$/, '')).sort()].join('\n');
}
