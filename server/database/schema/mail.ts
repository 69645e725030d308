/**
 * Part of the first migration: tables of queued mail and its quotas. Called by index.ts of this folder when a new
 * database is created. Addresses and contents are sealed and are gone once a message is delivered or given up.
 */
import type { Knex } from 'knex';
import { allowPlatform, grant, isolateTenant, refuseUpdate } from '../row-level-security.ts';

/**
 * Mail that waits for delivery, and how much of it callers cause. A message to a person who works for several tenants,
 * such as a password reset, belongs to no tenant.
 */
export async function mail(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE mail_message (
      id uuid PRIMARY KEY,
      tenant_id uuid,
      template text NOT NULL,
      -- A keyed hash of the address, by which a message is found.
      recipient_mac bytea NOT NULL CHECK (octet_length(recipient_mac) = 32),
      -- The address and the contents.
      sealed bytea,
      attempts integer NOT NULL DEFAULT 0,
      next_attempt_at timestamptz(3) NOT NULL,
      last_error text,
      delivered_at timestamptz(3),
      given_up_at timestamptz(3),
      created_at timestamptz(3) NOT NULL,
      CHECK ((sealed IS NULL) = (delivered_at IS NOT NULL OR given_up_at IS NOT NULL))
    );
    CREATE INDEX mail_message_due ON mail_message (next_attempt_at, id) WHERE sealed IS NOT NULL;
    CREATE INDEX mail_message_by_created ON mail_message (created_at, id);
    CREATE INDEX mail_message_by_recipient ON mail_message (recipient_mac, created_at);

    -- The mail that callers caused within a day, by keyed hashes of who caused it and who got it.
    CREATE TABLE mail_quota (
      key text PRIMARY KEY,
      used integer NOT NULL CHECK (used > 0),
      began_at timestamptz(3) NOT NULL
    );
    CREATE INDEX mail_quota_by_began ON mail_quota (began_at)`);
  // A request only posts; it never sees a message again, not even its own tenant's.
  await isolateTenant(knex, 'mail_message', { platform: 'SELECT, DELETE' });
  await allowPlatform(knex, 'mail_message', 'queue', 'INSERT');
  await allowPlatform(knex, 'mail_message', 'find', 'SELECT');
  await allowPlatform(knex, 'mail_message', 'deliver', 'UPDATE');
  await allowPlatform(knex, 'mail_message', 'discard', 'DELETE');
  await refuseUpdate(knex, 'mail_message', 'ended_stays', 'OLD.sealed IS NULL AND OLD IS DISTINCT FROM NEW');
  await grant(knex, 'mail_quota', { platform: 'SELECT, DELETE' });
}
