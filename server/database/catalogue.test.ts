/** Tests of the rules that every table, index, policy and function of the database obeys, read from its catalogues. */
import '../start.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../test/support/postgres.ts';
import type { TestDatabase } from '../../test/support/postgres.ts';
import { roles } from './roles.ts';
import { tables as definitions } from './table.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

/** Tables without a tenant, and the reason why row-level security does not apply to them. */
const platformTables = {
  demo: 'the credentials of the demo, sealed; the app role has no privilege on it',
  job_success: 'names of jobs and times; the app role has no privilege on it',
  known_place: 'keyed by HMAC of a person’s address; the app role has no privilege on it',
  mail_quota: 'keyed by HMAC of who causes and gets mail; the app role has no privilege on it',
  login_throttle: 'keyed by HMAC before an account is known; the app role has no privilege on it',
  watch_list_proposal: 'counts of public lists, and who proposed them; the app role has no privilege on it',
  schema_migration: 'the owner’s record of migrations; nobody else has a privilege on it',
  schema_migration_lock: 'the same',
};

/**
 * Reference data, which has no tenant either: every request reads it, and only the importer writes it, under the
 * platform role.
 */
const referenceTables = ['screening_estimate', 'watch_list_entity', 'watch_list_file', 'watch_list_version'];

/** Tables about persons, who have no tenant and can be members of several. */
const personTables = definitions.filter(({ duties: { owner } }) => owner === 'person').map(({ name }) => name);

/** Indexes for look-ups before the tenant is known; the rows themselves stay subject to the policies. */
const indexesBeforeTenant = [
  'api_key_prefix_key',
  'invitation_token_key',
  'mail_message_by_created',
  'mail_message_by_recipient',
  'mail_message_due',
  'mail_message_pkey',
  'membership_by_user',
  'password_reset_hash_key',
  'refresh_token_hash_key',
  'user_account_email_key',
  'user_account_pkey',
  'tenant_by_created',
  'tenant_pkey',
  'tenant_slug_key',
];

const tables = `SELECT c.oid, c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity
  AS forced, pg_get_userbyid(c.relowner) AS owner
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')`;

describe('the catalogue', () => {
  it('forces row-level security on every table except those on the short list and reference data', async () => {
    const rows = await test.sql<{ name: string; forced: boolean }>(tables);
    expect(rows.length).toBeGreaterThan(10);
    expect(
      rows
        .filter((row) => !row.forced)
        .map((row) => row.name)
        .sort(),
    ).toEqual([...Object.keys(platformTables), ...referenceTables].sort());
    const ofPlatform = definitions.filter(({ duties: { owner } }) => owner === 'platform').map(({ name }) => name);
    expect([...ofPlatform, 'schema_migration', 'schema_migration_lock'].sort()).toEqual(
      [...Object.keys(platformTables), ...referenceTables].sort(),
    );
  });

  it('lets requests read but not change reference data', async () => {
    const rights = await test.sql(
      `SELECT table_name AS table, string_agg(DISTINCT privilege_type, ' ') AS rights
        FROM information_schema.column_privileges
      WHERE grantee = $1 AND table_name = ANY ($2) GROUP BY table_name ORDER BY table_name`,
      [roles.app, referenceTables],
    );
    expect(rights).toEqual(referenceTables.map((table) => ({ table, rights: 'SELECT' })));
    expect(
      await test.sql(
        "SELECT attrelid::regclass AS table FROM pg_attribute WHERE attname = 'tenant_id' AND attrelid = ANY " +
          '($1::regclass[])',
        [referenceTables],
      ),
    ).toEqual([]);
  });

  it('has a policy with both tenant conditions on every table of tenants', async () => {
    const rows = await test.sql<{ name: string }>(
      `
      SELECT t.name FROM (${tables}) t WHERE t.forced AND t.name <> ALL ($1) AND NOT EXISTS (
        SELECT FROM pg_policies p WHERE p.tablename = t.name AND p.policyname = 'tenant' AND p.cmd = 'ALL'
          AND p.qual LIKE '%app.tenant_id%' AND p.with_check LIKE '%app.tenant_id%')`,
      [personTables],
    );
    expect(rows).toEqual([]);
  });

  it('shows the app role of a person only what colleagues may see', async () => {
    const rows = await test.sql<{ table: string; columns: string }>(
      `
      SELECT table_name AS table, string_agg(column_name, ' ' ORDER BY column_name) AS columns
        FROM information_schema.role_column_grants
      WHERE grantee = $1 AND privilege_type = 'SELECT' AND table_name = ANY ($2) GROUP BY table_name
        ORDER BY table_name`,
      [roles.app, personTables],
    );
    expect(rows).toEqual([
      { table: 'user_account', columns: 'created_at email id last_login_at locked_until name status updated_at' },
      { table: 'user_totp', columns: 'confirmed_at user_id' },
    ]);
    const policies = await test.sql(
      `
      SELECT tablename, policyname FROM pg_policies WHERE $1 = ANY (roles) AND tablename = ANY ($2)
        AND NOT qual LIKE '%app.tenant_id%'`,
      [roles.app, personTables],
    );
    expect(policies).toEqual([]);
  });

  it('leads every index with the tenant', async () => {
    const rows = await test.sql<{ index: string }>(
      `
      SELECT i.indexrelid::regclass::text AS index FROM pg_index i
      JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
      JOIN (${tables}) t ON t.oid = i.indrelid
      WHERE t.forced AND a.attname <> 'tenant_id' AND (t.name <> ALL ($1) OR a.attname <> 'user_id')`,
      [personTables],
    );
    expect(rows.map((row) => row.index).sort()).toEqual(indexesBeforeTenant.sort());
  });

  it('carries the tenant in every foreign key between tables of tenants', async () => {
    const rows = await test.sql<{ name: string }>(
      `
      SELECT conname AS name FROM pg_constraint c
      WHERE contype = 'f' AND confrelid NOT IN ('tenant'::regclass, 'user_account'::regclass)
        AND conrelid::regclass::text <> ALL ($1)
        AND NOT EXISTS (SELECT FROM pg_attribute a
          WHERE a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey) AND a.attname = 'tenant_id')`,
      [referenceTables],
    );
    expect(rows).toEqual([]);
  });

  it('declares for every table of tenants the effect of a sandbox reset, or a reason why its rows stay', async () => {
    const ofTenants = (
      await test.sql<{ name: string }>(
        `SELECT t.name FROM (${tables}) t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attname = 'tenant_id'`,
      )
    ).map(({ name }) => name);
    const declared = definitions
      .filter(({ name }) => ofTenants.includes(name))
      .map(({ name, duties: { sandboxReset } }) => ({ name, sandboxReset }));
    expect(declared.length).toBe(ofTenants.length);
    expect(
      declared.filter(
        ({ sandboxReset }) =>
          sandboxReset === undefined ||
          (typeof sandboxReset === 'object' && 'kept' in sandboxReset && sandboxReset.kept.length < 5),
      ),
    ).toEqual([]);
    // Tables whose rows refer to a deleted row and are deleted with it.
    const references = await test.sql<{ name: string; to: string }>(
      `SELECT conrelid::regclass::text AS name, confrelid::regclass::text AS to FROM pg_constraint
        WHERE contype = 'f' AND confdeltype = 'c'`,
    );
    const isDeleted = (name: string): boolean => {
      const reset = declared.find((one) => one.name === name)?.sandboxReset;
      return (
        reset === 'emptied' ||
        (typeof reset === 'object' && 'emptiedBefore' in reset) ||
        (reset === 'cascade' && references.some((one) => one.name === name && isDeleted(one.to)))
      );
    };
    expect(declared.filter(({ name, sandboxReset }) => sandboxReset === 'cascade' && !isDeleted(name))).toEqual([]);
  });

  it('identifies the rows of every table by a primary key', async () => {
    const rows = await test.sql<{ name: string }>(`
      SELECT t.name FROM (${tables}) t WHERE NOT EXISTS (
        SELECT FROM pg_constraint c WHERE c.conrelid = t.oid AND c.contype = 'p')`);
    expect(rows).toEqual([]);
  });

  it('has an index for every reference that a deletion follows, so that it does not read the whole table', async () => {
    const rows = await test.sql<{ name: string }>(`
      SELECT conrelid::regclass || ': ' || conname AS name FROM pg_constraint c
      WHERE contype = 'f' AND confdeltype = 'c' AND NOT EXISTS (
        SELECT FROM pg_index i WHERE i.indrelid = c.conrelid
          AND (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey)`);
    expect(rows).toEqual([]);
  });

  it('keeps timestamps at the precision of the wire', async () => {
    const rows = await test.sql<{ column: string }>(`
      SELECT table_name || '.' || column_name AS column FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name NOT LIKE 'schema_migration%' AND data_type LIKE 'timestamp%' AND
        (datetime_precision <> 3 OR data_type <> 'timestamp with time zone')`);
    expect(rows).toEqual([]);
  });

  it('lets the owner role own every table, and neither request role own or bypass anything', async () => {
    const owners = await test.sql<{ owner: string }>(`SELECT DISTINCT owner FROM (${tables}) t`);
    expect(owners).toEqual([{ owner: roles.owner }]);
    const rows = await test.sql<{ rolname: string; powers: boolean }>(
      `
      SELECT rolname, rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolreplication
        OR EXISTS (SELECT FROM pg_auth_members m WHERE m.member = r.oid) AS powers
      FROM pg_roles r WHERE rolname IN ($1, $2)`,
      [roles.app, roles.platform],
    );
    expect(rows.map((row) => row.powers)).toEqual([false, false]);
  });

  it('has no function that runs with its owner’s privileges and grants nothing to PUBLIC', async () => {
    expect(
      await test.sql(`SELECT proname FROM pg_proc WHERE prosecdef AND pronamespace = 'public'::regnamespace`),
    ).toEqual([]);
    expect(
      await test.sql(
        "SELECT table_name FROM information_schema.role_table_grants WHERE grantee = 'PUBLIC' " +
          "AND table_schema = 'public'",
      ),
    ).toEqual([]);
  });
});
