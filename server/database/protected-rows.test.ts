/** Tests that the database protects the identity of rows and keeps live rows from being deleted. */
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { roles } from './roles.ts';
import { ROLES, unprotectedTables } from './testing/unprotected-tables.ts';

const database = unprotectedTables();

const another: Readonly<Record<string, (column: string) => string>> = {
  uuid: () => 'gen_random_uuid()',
  bool: (column) => `NOT ${column}`,
  text: (column) => `CASE ${column} WHEN 'live' THEN 'sandbox' WHEN 'sandbox' THEN 'live' ELSE ${column} || 'x' END`,
  timestamptz: (column) => `coalesce(${column}, now()) - interval '500 days'`,
  bytea: (column) => `sha256(coalesce(${column}, 'y'))`,
  int2: (column) => `${column} + 1`,
  int4: (column) => `${column} + 1`,
  int8: (column) => `${column} + 1`,
  jsonb: () => `'{"x": 1}'`,
};

describe('the identity of a row', () => {
  it('never changes: its tenant, its environment, its key, its time of creation and its creator', async () => {
    const columns = await database.test.sql<{ table: string; column: string; type: string }>(`
      SELECT c.relname AS table, a.attname AS column, t.typname AS type FROM pg_class c
        JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
        AND c.relname NOT LIKE 'schema_migration%' AND a.attnum > 0 AND NOT a.attisdropped AND (
        a.attname IN ('tenant_id', 'env', 'environment', 'id', 'created_at', 'created_by', 'issued_at', 'secret_mac',
          'storage_key', 'absolute_expires_at')
        OR EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary AND a.attnum = ANY (i.indkey)))`);
    expect(columns.length).toBeGreaterThan(90);
    const changed: string[] = [];
    for (const { table, column, type } of columns) {
      for (const role of ROLES) {
        const attempt = database.clients[role].query(`UPDATE ${table} SET ${column} = ${another[type]?.(column)}`);
        await attempt.then(
          () => changed.push(`${role}: ${table}.${column}`),
          (error: unknown) =>
            expect((error as pg.DatabaseError).code, `${table}.${column}: ${String(error)}`).toBe('42501'),
        );
      }
    }
    expect(changed).toEqual([]);
  });
});

describe.each(ROLES)('live rows are not deleted by the %s role:', (role) => {
  it.each([
    'application',
    'attestation',
    'consent',
    'decision',
    'deleted_document',
    'information_request',
    'second_review',
    'subject_key',
    'waiver',
    'fr_event',
    'fr_recovery',
    'fr_record',
    'fr_consumer',
    'dict_stream',
    'dict_inbox',
    'idempotency_record',
    'audit_event',
    'audit_head',
    'audit_node',
    'audit_checkpoint',
    'report',
    'report_document',
  ])('%s', async (table) => {
    await expect(database.clients[role].query(`DELETE FROM ${table}`)).rejects.toMatchObject({ code: '42501' });
  });

  it.each(['submitted', 'in_review', 'approved', 'rejected', 'withdrawn', 'expired'])(
    'a document of an application that is %s',
    async (status) => {
      await database.test.sql(
        `SET session_replication_role = replica; UPDATE application SET status = '${status}'; SET ` +
          'session_replication_role = origin',
      );
      await expect(database.clients[role].query('DELETE FROM document')).rejects.toMatchObject({ code: '42501' });
    },
  );

  it('cannot change by way of the sandbox either: an application cannot be moved there first', async () => {
    await expect(database.clients[role].query(`UPDATE application SET environment = 'sandbox'`)).rejects.toMatchObject({
      code: '42501',
    });
  });

  it('cannot change by a table of the same name that shadows the one with the retention of events', async () => {
    await database.test.sql(`UPDATE fr_event SET received_at = now() - interval '500 days'`);
    await database.test.sql(`GRANT TEMPORARY ON DATABASE ${database.test.location.database} TO ${roles[role]}`);
    const client = new pg.Client(database.test[role]);
    await client.connect();
    try {
      await client.query(
        'CREATE TEMP TABLE fr_feed AS SELECT tenant_id, env, 9999::bigint AS floor_seq FROM public.fr_feed',
      );
      await database.test.sql(`UPDATE fr_feed SET floor_seq = 0`);
      await expect(client.query('DELETE FROM public.fr_event')).rejects.toMatchObject({ code: '42501' });
    } finally {
      await client.end();
      await database.test.sql('UPDATE fr_event SET received_at = now()');
    }
  });
});
