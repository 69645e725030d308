import type { Knex } from 'knex';
import { roles } from '../roles.ts';
import { isolateTenant } from './row-level-security.ts';

/** When a key ends, how much it is used and from where. */
export async function keyUsage(knex: Knex): Promise<void> {
  // ends_at is the one place that says what ends a key that nobody revokes: its expiry, or its grace after a rotation.
  await knex.raw(`
    ALTER TABLE api_key
      ADD COLUMN ends_at timestamptz(3) GENERATED ALWAYS
        AS (least(expires_at, CASE WHEN status = 'rotating' THEN grace_until END)) STORED,
      ADD COLUMN end_recorded_at timestamptz(3)`);
  await knex.raw(
    `CREATE INDEX api_key_to_end ON api_key (tenant_id, ends_at)
      WHERE ends_at IS NOT NULL AND end_recorded_at IS NULL AND status <> 'revoked'`,
  );

  await knex.raw(`
    CREATE TABLE api_key_usage (
      tenant_id uuid NOT NULL,
      key_id uuid NOT NULL,
      hour timestamptz(3) NOT NULL,
      requests bigint NOT NULL CHECK (requests >= 0),
      errors bigint NOT NULL CHECK (errors >= 0),
      PRIMARY KEY (tenant_id, key_id, hour),
      FOREIGN KEY (tenant_id, key_id) REFERENCES api_key (tenant_id, id)
    )`);
  await isolateTenant(knex, 'api_key_usage', { app: 'SELECT, INSERT, UPDATE, DELETE' });

  // A site is an IPv4 address or the /64 of an IPv6 one: another address of the same network is no news.
  await knex.raw(`
    CREATE TABLE api_key_site (
      tenant_id uuid NOT NULL,
      key_id uuid NOT NULL,
      site text NOT NULL,
      first_seen_at timestamptz(3) NOT NULL,
      last_seen_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, key_id, site),
      FOREIGN KEY (tenant_id, key_id) REFERENCES api_key (tenant_id, id)
    )`);
  await isolateTenant(knex, 'api_key_site', { app: 'SELECT, INSERT, UPDATE, DELETE' });

  // Uses are recorded within the tenant of the key: the platform's role need not write keys any more.
  await knex.raw(`REVOKE UPDATE (last_used_at, last_used_ip) ON api_key FROM ${roles.platform}`);
  await knex.raw('DROP POLICY last_use ON api_key');
}
