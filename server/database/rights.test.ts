/** Tests that the roles of requests have exactly the rights that the table definitions declare. */
import '../start.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { each } from '../../test/support/each.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { silent } from '../../test/support/silent.ts';
import { migrate } from './migrate.ts';
import { withClient } from './pool.ts';
import { roles } from './roles.ts';
import { tables } from './table.ts';

const ROLES = ['app', 'platform'] as const;
type RoleName = (typeof ROLES)[number];

let test: TestDatabase;
let columns: { table: string; column: string; generated: boolean }[];
const clients = {} as Record<RoleName, pg.Client>;
beforeAll(async () => {
  test = await createTestDatabase();
  columns = await test.sql(`
    SELECT c.relname AS table, a.attname AS column, a.attgenerated <> '' AS generated FROM pg_class c
      JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
      ORDER BY 1, a.attnum`);
  for (const role of ROLES) {
    clients[role] = new pg.Client(test[role]);
    await clients[role].connect();
  }
});
afterAll(async () => {
  for (const role of ROLES) await clients[role].end();
  await test.close();
});

/** Returns the code of the refusal, or null. */
const refusal = (client: pg.Client, statement: string): Promise<string | null> =>
  client.query(statement).then(
    () => null,
    (error: unknown) => (error as pg.DatabaseError).code ?? String(error),
  );

/** Returns the columns that the definitions of the tables let a role write. */
const declared = (role: RoleName, right: 'insert' | 'update'): string[] =>
  tables.flatMap((table) => table.writable(role)[right].map((column) => `${table.name}.${column}`)).sort();

describe.each(ROLES)('the %s role', (role) => {
  it('updates, in every table, exactly the columns that its definition lets change', async () => {
    const updated: string[] = [];
    for (const { table, column } of columns) {
      const code = await refusal(clients[role], `UPDATE ${table} SET ${column} = DEFAULT WHERE false`);
      expect([null, '42501'], `${table}.${column}`).toContain(code);
      if (code === null) updated.push(`${table}.${column}`);
    }
    expect(updated.sort()).toEqual(declared(role, 'update'));
    expect(updated.length).toBeGreaterThan(30);
  });

  it('inserts exactly the columns that the definitions declare, so that no row is created as ended, used or revoked', async () => {
    const inserted: string[] = [];
    for (const { table, column, generated } of columns) {
      if (
        !generated &&
        (await refusal(clients[role], `INSERT INTO ${table} (${column}) SELECT NULL WHERE false`)) === null
      )
        inserted.push(`${table}.${column}`);
    }
    expect(inserted.sort()).toEqual(declared(role, 'insert'));
    for (const never of [
      'session.ended_at',
      'api_key.revoked_at',
      'application.decided_at',
      'refresh_token.superseded_at',
      'recovery_code.used_at',
      'user_totp.confirmed_at',
      'invitation.accepted_at',
      'fr_event.received_at',
    ]) {
      expect(inserted).not.toContain(never);
    }
  });

  it('truncates no table, alters none and owns none', async () => {
    for (const table of each(new Set(columns.map((one) => one.table)))) {
      for (const attempt of [
        `TRUNCATE ${table}`,
        `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
        `ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`,
        `DROP TABLE ${table}`,
        `CREATE RULE r AS ON UPDATE TO ${table} DO INSTEAD NOTHING`,
        `CREATE POLICY p ON ${table} USING (true)`,
      ])
        expect(await refusal(clients[role], attempt), attempt).toMatch(/^(42501|0LP01)$/);
      const lockable = tables.some((one) => one.name === table && one.writable(role).update.length > 0);
      expect(await refusal(clients[role], `SELECT 1 FROM ${table} WHERE false FOR UPDATE`), table).toBe(
        lockable ? null : '42501',
      );
    }
  });

  it.each([
    ['creates no table', 'CREATE TABLE public.x (a integer)', '42501'],
    [
      'creates no temporary table, which would stand in front of ours',
      'CREATE TEMP TABLE fr_feed (floor_seq bigint)',
      '42501',
    ],
    ['creates no schema', 'CREATE SCHEMA x', '42501'],
    ['creates no view', 'CREATE VIEW public.x AS SELECT 1', '42501'],
    ['creates no sequence', 'CREATE SEQUENCE public.x', '42501'],
    [
      'creates no function, nor one that runs as somebody else',
      `CREATE FUNCTION public.x() RETURNS integer LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'`,
      '42501',
    ],
    [
      'replaces none of ours',
      `CREATE OR REPLACE FUNCTION public.refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'`,
      '42501',
    ],
    ['creates no extension', 'CREATE EXTENSION dblink', '42501'],
    ['becomes no other role', `SET ROLE ${roles.owner}`, '42501'],
    ['becomes no superuser', 'SET SESSION AUTHORIZATION postgres', '42501'],
    ['creates no role', 'CREATE ROLE x', '42501'],
    ['gives itself no role', `GRANT ${roles.owner} TO ${roles[role]}`, '42501'],
    ['does not switch triggers off', 'SET session_replication_role = replica', '42501'],
    ['reads no file of the server', `SELECT pg_read_file('PG_VERSION')`, '42501'],
    ['lists no folder of the server', `SELECT pg_ls_dir('.')`, '42501'],
    ['copies into no file of the server', `COPY (SELECT 1) TO '/tmp/x'`, '42501'],
    ['copies from no file of the server', `COPY tenant FROM '/tmp/x'`, '42501'],
    ['runs no program', `COPY (SELECT 1) TO PROGRAM 'true'`, '42501'],
    ['stores no large object', 'SELECT lo_create(0)', '42501'],
    ['stores no large object at once', `SELECT lo_from_bytea(0, 'x')`, '42501'],
    ['imports no file as a large object', `SELECT lo_import('/etc/hostname')`, '42501'],
    ['reads no hash of a password of the server', 'SELECT * FROM pg_authid', '42501'],
    ['changes no setting of the server', `ALTER SYSTEM SET fsync = off`, '42501'],
    ['reloads no configuration', 'SELECT pg_reload_conf()', '42501'],
    ['creates no publication', 'CREATE PUBLICATION x', '42501'],
    ['opens no replication slot', `SELECT pg_create_logical_replication_slot('x', 'pgoutput')`, '42501'],
    ['calls no trigger function by itself', 'SELECT refuse_change()', '42501'],
    [
      'registers no event trigger',
      'CREATE EVENT TRIGGER x ON ddl_command_end EXECUTE FUNCTION refuse_change()',
      '42501',
    ],
    ['runs code in no language but SQL and PL/pgSQL', `DO LANGUAGE plpython3u 'pass'`, '42704'],
  ])('%s', async (_, attempt, code) => {
    expect(await refusal(clients[role], attempt)).toBe(code);
  });
});

describe('functions and sequences', () => {
  it('are never resolved through the search path of the calling role', async () => {
    expect(
      await test.sql(`SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
      AND NOT coalesce('search_path=pg_catalog, public, pg_temp' = ANY (proconfig), false)`),
    ).toEqual([]);
  });

  it('belong to no other role, and no other role may call a future function either', async () => {
    expect(
      await test.sql(
        `SELECT sequencename FROM pg_sequences CROSS JOIN unnest($1::text[]) AS role
         WHERE has_sequence_privilege(
           role, quote_ident(schemaname) || '.' || quote_ident(sequencename), 'USAGE, SELECT, UPDATE'
         )`,
        [[roles.app, roles.platform]],
      ),
    ).toEqual([]);
    expect(
      await test.sql(
        `SELECT table_name FROM information_schema.column_privileges WHERE grantee = ANY ($1) AND is_grantable = 'YES'`,
        [[roles.app, roles.platform]],
      ),
    ).toEqual([]);
    await withClient(test.owner, (client) =>
      client.query(`CREATE FUNCTION tomorrow() RETURNS integer LANGUAGE sql AS 'SELECT 1'`),
    );
    for (const role of ROLES) expect(await refusal(clients[role], 'SELECT tomorrow()')).toBe('42501');
    await withClient(test.owner, (client) => client.query('DROP FUNCTION tomorrow()'));
  });
});

describe('a permitted change', () => {
  it('has a reason for each role that may make it', () => {
    const reasons = tables.flatMap(({ columns }) =>
      Object.values(columns).flatMap(({ traits: { reason } }) =>
        typeof reason === 'string' ? [reason] : Object.values(reason ?? {}),
      ),
    );
    expect(reasons.length).toBeGreaterThan(100);
    expect(reasons.filter((why) => why.length <= 5)).toEqual([]);
  });
});

describe('a declaration that changes without a migration', () => {
  it('is applied at the next start, and an undeclared table is refused', async () => {
    await withClient(test.owner, async (client) => {
      await client.query(
        `GRANT UPDATE (id) ON waiver TO ${roles.app}; COMMENT ON TABLE schema_migration IS 'rights of before'`,
      );
      expect(await refusal(clients.app, 'UPDATE waiver SET id = DEFAULT WHERE false')).toBeNull();
      await migrate(test.owner, silent);
      expect(await refusal(clients.app, 'UPDATE waiver SET id = DEFAULT WHERE false')).toBe('42501');
      await client.query(`CREATE TABLE forgotten (id uuid); COMMENT ON TABLE schema_migration IS 'rights of before'`);
      await expect(migrate(test.owner, silent)).rejects.toThrow(
        'No definition (server/database/table.ts) is loaded for forgotten',
      );
      await client.query('DROP TABLE forgotten');
      await migrate(test.owner, silent);
    });
  });
});
