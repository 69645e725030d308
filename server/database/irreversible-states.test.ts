/** Tests that the database refuses to leave a final state of keys, sessions, invitations and other records. */
import { describe, expect, it } from 'vitest';
import { ROLES, unprotectedTables } from './testing/unprotected-tables.ts';

const database = unprotectedTables();

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

/** Condition for the row that the test inserted, because the platform is a tenant too. */
const rowsOf = (table: string): string => (table === 'tenant' ? `WHERE id = '${database.tenantId}'` : '');

describe.each(ROLES)('a final state is irreversible for the %s role:', (role) => {
  it.each(ENDED)('%s, once %s', async (table, assignments, attempts) => {
    await database.test.sql(`UPDATE ${table} SET ${assignments} ${rowsOf(table)}`);
    const before = await database.test.sql(`SELECT * FROM ${table}`);
    for (const attempt of attempts) {
      await expect(
        database.clients[role].query(`UPDATE ${table} SET ${attempt} ${rowsOf(table)}`),
        attempt,
      ).rejects.toMatchObject({ code: '42501' });
    }
    expect(await database.test.sql(`SELECT * FROM ${table}`)).toEqual(before);
  });
});
