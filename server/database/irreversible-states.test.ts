import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { rowOfEveryTable } from '../../test/support/row-of-every-table.ts';
import { roles } from './roles.ts';

const ROLES = ['app', 'platform'] as const;
type RoleName = (typeof ROLES)[number];

let test: TestDatabase;
let tenantId: string;
const clients = {} as Record<RoleName, pg.Client>;

/** Every right is granted and every row is visible here, so that only the triggers can refuse a change. */
beforeAll(async () => {
  test = await createTestDatabase();
  await test.sql(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${roles.app}, ${roles.platform}`);
  tenantId = await rowOfEveryTable(test);
  for (const { name } of await test.sql<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relrowsecurity`,
  )) {
    await test.sql(
      `CREATE POLICY everything ON ${name} TO ${roles.app}, ${roles.platform} USING (true) WITH CHECK (true)`,
    );
  }
  for (const role of ROLES) {
    clients[role] = new pg.Client(test[role]);
    await clients[role].connect();
  }
});
afterAll(async () => {
  for (const role of ROLES) await clients[role].end();
  await test.close();
});

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
    const columns = await test.sql<{ table: string; column: string; type: string }>(`
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
        const attempt = clients[role].query(`UPDATE ${table} SET ${column} = ${another[type]?.(column)}`);
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

/** Table, the change of state of its row, and the attempts to undo that change. */
const ENDED: readonly [table: string, assignments: string, attempts: readonly string[]][] = [
  [
    'session',
    `ended_at = now(), ended_reason = 'logout'`,
    ['ended_at = NULL, ended_reason = NULL', `ended_at = now() + interval '1 day'`, `ended_reason = 'expired'`],
  ],
  [
    'refresh_token',
    `superseded_at = now(), successor = 'x'`,
    ['superseded_at = NULL', 'successor = NULL', `successor = 'y'`],
  ],
  ['refresh_token', 'superseded_at = NULL', [`expires_at = expires_at + interval '1 year'`]],
  [
    'api_key',
    `status = 'revoked', revoked_at = now(), expires_at = now() + interval '1 day', end_recorded_at = NULL`,
    [
      `status = 'active', revoked_at = NULL`,
      `scopes = '{admin}'`,
      'expires_at = NULL',
      `ip_allowlist = '{192.0.2.0/24}'`,
    ],
  ],
  [
    'api_key',
    `status = 'rotating', revoked_at = NULL, successor_prefix = 'q', grace_until = now()`,
    [`status = 'active'`, `grace_until = now() + interval '1 year'`, `successor_prefix = 'r'`],
  ],
  [
    'api_key',
    `status = 'active', expires_at = now() - interval '1 hour'`,
    ['expires_at = NULL', `expires_at = now() + interval '1 year'`],
  ],
  ['api_key', `end_recorded_at = now()`, ['end_recorded_at = NULL']],
  [
    'invitation',
    'accepted_at = now(), revoked_at = NULL',
    ['accepted_at = NULL', `expires_at = now() + interval '1 year'`, `token_hash = sha256('z')`],
  ],
  [
    'invitation',
    'accepted_at = NULL, revoked_at = now()',
    ['revoked_at = NULL', 'revoked_at = NULL, accepted_at = now()'],
  ],
  ['recovery_code', 'used_at = now()', ['used_at = NULL', `used_at = now() + interval '1 day'`]],
  [
    'user_totp',
    'last_step = 7',
    ['last_step = 6', 'last_step = NULL', `secret = 'y'`, `confirmed_at = NULL, expires_at = now()`],
  ],
  ['password_reset', 'expires_at = now()', [`expires_at = now() + interval '1 day'`]],
  ['user_account', `status = 'deactivated'`, [`status = 'active'`, `status = 'invited'`]],
  ['tenant', `status = 'closed'`, [`status = 'active'`, `status = 'suspended'`, `status = 'onboarding'`]],
  ['tenant', `status = 'active', go_live_at = now()`, ['go_live_at = NULL', `status = 'onboarding'`]],
  ['tenant', 'sandbox_clock_offset_seconds = 60', ['sandbox_clock_offset_seconds = 59']],
  ...['approved', 'rejected', 'withdrawn', 'expired'].map((status): (typeof ENDED)[number] => [
    'application',
    `status = '${status}', submitted_at = now(), decided_at = now()`,
    [
      `status = 'draft'`,
      `status = 'in_review'`,
      `status = 'in_review', version = version + 1, decided_at = NULL`,
      `full_name = 'X'`,
      `applicant = '{"a": 1}'`,
      'version = 1 + version',
      'submitted_at = NULL',
    ],
  ]),
  [
    'application',
    `status = 'in_review', submitted_at = now()`,
    [
      `status = 'draft'`,
      `status = 'expired'`,
      `applicant = '{"a": 1}'`,
      `full_name = 'X'`,
      `tax_id_mac = sha256('x')`,
      `level = 'enhanced'`,
      'submitted_at = NULL',
    ],
  ],
  [
    'document',
    'version = 1',
    [
      `expires_on = current_date`,
      `status = 'accepted'`,
      `file_name = 'b.pdf'`,
      'version = 2',
      `status = 'superseded', version = version + 1, file_name = 'b.pdf'`,
    ],
  ],
  ['document', `status = 'superseded'`, [`status = 'uploaded', version = version + 1`]],
  [
    'document',
    `status = 'rejected', rejection_code = 'consent_withdrawn'`,
    [
      `status = 'uploaded', version = version + 1`,
      `status = 'superseded', version = version + 1`,
      'rejection_code = NULL, version = version + 1',
    ],
  ],
  [
    'document',
    `status = 'uploaded', rejection_code = NULL`,
    [
      `status = 'rejected', version = version + 1`,
      `status = 'rejected', rejection_code = 'x'`,
      `status = 'rejected', rejection_code = 'x', version = version + 1, file_name = 'b.pdf'`,
    ],
  ],
  [
    'waiver',
    `note = 'Seen.'`,
    [`action = 'revoked'`, `requirement_key = 'id_document'`, `note = ''`, `created_by = '[]'`],
  ],
  [
    'attestation',
    `source = 'News.', note = 'Seen.', subject = 'Maria'`,
    [
      `outcome = 'fail'`,
      `subject = ''`,
      `requirement_key = 'adverse_media_clear'`,
      `source = ''`,
      `note = ''`,
      "looked_up_at = now() + interval '1 day'",
      `created_by = '[]'`,
    ],
  ],
  [
    'consent',
    `ip = '192.0.2.1'`,
    [`action = 'withdrawn'`, `purpose = 'screening'`, 'ip = NULL', `captured_at = now()`],
  ],
  ['application', `status = 'withdrawn', submitted_at = now()`, [`status = 'in_review', version = version + 1`]],
  [
    'decision',
    `status = 'effective', effective_at = now()`,
    [
      `status = 'pending_review', effective_at = NULL`,
      `outcome = 'reject', reject_type = 'final'`,
      `reason_codes = '{other}'`,
      "effective_at = now() + interval '1 day'",
    ],
  ],
  ['decision', `status = 'returned', effective_at = NULL`, [`status = 'effective', effective_at = now()`]],
  [
    'decision',
    `status = 'pending_review', effective_at = NULL`,
    [
      `evidence_digest = 'e'`,
      `note = 'Something else.'`,
      `outcome = 'reject', reject_type = 'final'`,
      `manifest = '[]'`,
      `made_by = '[]'`,
    ],
  ],
  [
    'second_review',
    `state = 'invalidated', closed_at = now()`,
    [`state = 'pending', closed_at = NULL`, `state = 'confirmed', checker = '{"type": "user", "id": "x"}'`],
  ],
  [
    'second_review',
    `state = 'pending', closed_at = NULL`,
    [`maker_persons = '{}'`, `digest = 'e'`, `maker = '[]'`, 'subject_id = gen_random_uuid()'],
  ],
  [
    'information_request',
    `status = 'answered', answered_at = now()`,
    [`status = 'open', answered_at = NULL`, `answered_at = now() + interval '1 day'`],
  ],
  [
    'information_request',
    `status = 'cancelled', answered_at = NULL`,
    [`status = 'open'`, `status = 'answered', answered_at = now()`],
  ],
  [
    'information_request',
    `status = 'open', answered_at = NULL`,
    [`items = '[{}]'`, `internal_note = 'Something else.'`, `due_at = now() + interval '1 day'`, `created_by = '[]'`],
  ],
  [
    'application',
    `status = 'needs_information', submitted_at = now()`,
    [`status = 'draft'`, `level = 'enhanced'`, 'submitted_at = NULL', `status = 'in_review', applicant = '{"a": 1}'`],
  ],
  [
    'application',
    `status = 'approved', submitted_at = now(), decided_at = now(), relationship_ended_at = now()`,
    [
      'relationship_ended_at = NULL, version = version + 1',
      `relationship_ended_at = now() + interval '1 day', version = version + 1`,
    ],
  ],
  [
    'application',
    `status = 'approved', submitted_at = now(), decided_at = now()`,
    [
      `relationship_ended_at = now(), version = version + 1, valid_until = now()`,
      `erased_at = now(), status = 'draft'`,
      `erased_at = now(), submitted_at = NULL`,
    ],
  ],
  [
    'application',
    `status = 'rejected', submitted_at = now(), decided_at = now(), erased_at = now()`,
    ['erased_at = NULL', `full_name = 'X'`, `applicant = '{"a": 1}'`, `status = 'in_review', version = version + 1`],
  ],
  [
    'application',
    "status = 'approved', submitted_at = now(), decided_at = now(), valid_until = now(), erased_at = NULL, " +
      'relationship_ended_at = NULL',
    [
      `status = 'expired'`,
      `status = 'expired', version = version + 1, valid_until = NULL`,
      `status = 'expired', version = version + 1, full_name = 'X'`,
    ],
  ],
  [
    'application',
    `status = 'expired', status_reason = NULL, valid_until = NULL, relationship_ended_at = NULL`,
    ['relationship_ended_at = now(), version = version + 1'],
  ],
  [
    'application',
    `status_reason = 'information_overdue', decided_at = NULL`,
    ['relationship_ended_at = now(), version = version + 1'],
  ],
  ['consent', `ip = '192.0.2.1'`, [`erased_at = now(), purpose = 'screening'`]],
  ['waiver', `note = '', erased_at = now()`, [`note = 'Seen.'`, 'erased_at = NULL']],
  [
    'attestation',
    `source = '', note = '', subject = '', erased_at = now()`,
    [`note = 'Seen.'`, `subject = 'Maria'`, `source = 'News.'`, 'erased_at = NULL'],
  ],
  ['consent', `ip = NULL, erased_at = now()`, [`ip = '192.0.2.1'`, 'erased_at = NULL']],
  [
    'decision',
    `status = 'effective', effective_at = now()`,
    [`erased_at = now(), outcome = 'reject', reject_type = 'final'`, `erased_at = now(), manifest = '[]'`],
  ],
  ['decision', `note = '', erased_at = now()`, [`note = 'Something else.'`, 'erased_at = NULL']],
  ['document', 'version = 1', [`erased_at = now(), sha256 = repeat('1', 64)`]],
  [
    'document',
    `status = 'erased', erased_at = now()`,
    [`file_name = 'b.pdf'`, `status = 'uploaded', version = version + 1`],
  ],
  [
    'information_request',
    `status = 'answered', answered_at = now(), erased_at = now()`,
    [`items = '[{}]'`, 'erased_at = NULL'],
  ],
  [
    'second_review',
    `state = 'invalidated', closed_at = now(), erased_at = now()`,
    [`note = 'Something else.'`, 'erased_at = NULL'],
  ],
  [
    'subject_key',
    'wrapped = NULL, destroyed_at = now()',
    [`wrapped = 'x', destroyed_at = NULL`, `destroyed_at = now() + interval '1 day'`],
  ],
  ['subject_key', `wrapped = 'x', destroyed_at = NULL`, [`wrapped = 'y'`]],
  ['document', 'sealed_at = now()', ['sealed_at = NULL', `sealed_at = now() + interval '1 day'`]],
  [
    'deleted_document',
    'deleted_at = now()',
    [`deleted_at = now() + interval '1 day'`, 'application_id = gen_random_uuid()'],
  ],
  ['fr_record', 'erased_at = now()', ['erased_at = NULL']],
  [
    'mail_message',
    'sealed = NULL, delivered_at = now()',
    [`sealed = 'x', delivered_at = NULL`, 'attempts = 0, next_attempt_at = now()'],
  ],
  ['onboarding_step', 'completed_at = now()', ['completed_at = NULL', `completed_at = now() - interval '1 day'`]],
  ['fr_feed', 'last_seq = 9, floor_seq = 4', ['last_seq = 8', 'floor_seq = 3', 'generation = generation - 1']],
  ['fr_consumer', 'acked_seq = 5', ['acked_seq = 4', 'generation = generation - 1, acked_seq = 9']],
  ['fr_event', `raw_payload = NULL`, [`raw_payload = '{}'`]],
  ['dict_inbox', `xml = NULL`, [`xml = 'x'`]],
];

describe.each(ROLES)('a final state is irreversible for the %s role:', (role) => {
  it.each(ENDED)('%s, once %s', async (table, assignments, attempts) => {
    await test.sql(`UPDATE ${table} SET ${assignments} ${table === 'tenant' ? `WHERE id = '${tenantId}'` : ''}`);
    const before = await test.sql(`SELECT * FROM ${table}`);
    for (const attempt of attempts) {
      await expect(
        clients[role].query(`UPDATE ${table} SET ${attempt} ${table === 'tenant' ? `WHERE id = '${tenantId}'` : ''}`),
        attempt,
      ).rejects.toMatchObject({ code: '42501' });
    }
    expect(await test.sql(`SELECT * FROM ${table}`)).toEqual(before);
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
  ])('%s', async (table) => {
    await expect(clients[role].query(`DELETE FROM ${table}`)).rejects.toMatchObject({ code: '42501' });
  });

  it.each(['submitted', 'in_review', 'approved', 'rejected', 'withdrawn', 'expired'])(
    'a document of an application that is %s',
    async (status) => {
      await test.sql(
        `SET session_replication_role = replica; UPDATE application SET status = '${status}'; SET ` +
          'session_replication_role = origin',
      );
      await expect(clients[role].query('DELETE FROM document')).rejects.toMatchObject({ code: '42501' });
    },
  );

  it('cannot change by way of the sandbox either: an application cannot be moved there first', async () => {
    await expect(clients[role].query(`UPDATE application SET environment = 'sandbox'`)).rejects.toMatchObject({
      code: '42501',
    });
  });

  it('cannot change by a table of the same name that shadows the one with the retention of events', async () => {
    await test.sql(`UPDATE fr_event SET received_at = now() - interval '500 days'`);
    await test.sql(`GRANT TEMPORARY ON DATABASE ${test.location.database} TO ${roles[role]}`);
    const client = new pg.Client(test[role]);
    await client.connect();
    try {
      await client.query(
        'CREATE TEMP TABLE fr_feed AS SELECT tenant_id, env, 9999::bigint AS floor_seq FROM public.fr_feed',
      );
      await test.sql(`UPDATE fr_feed SET floor_seq = 0`);
      await expect(client.query('DELETE FROM public.fr_event')).rejects.toMatchObject({ code: '42501' });
    } finally {
      await client.end();
      await test.sql('UPDATE fr_event SET received_at = now()');
    }
  });
});
