import type { Knex } from 'knex';
import { allowPlatform, isolateTenant } from './row-level-security.ts';

/**
 * Mail that waits for delivery. A message of a person who works for several tenants, such as a password reset, belongs
 * to none. What is said, and to whom, is sealed; a keyed hash of the address finds it.
 */
export async function mail(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE mail_message (
      id uuid PRIMARY KEY,
      tenant_id uuid,
      template text NOT NULL,
      recipient_mac bytea NOT NULL CHECK (octet_length(recipient_mac) = 32),
      sealed bytea,
      attempts integer NOT NULL DEFAULT 0,
      next_attempt_at timestamptz(3) NOT NULL,
      last_error text,
      delivered_at timestamptz(3),
      given_up_at timestamptz(3),
      created_at timestamptz(3) NOT NULL,
      CHECK ((sealed IS NULL) = (delivered_at IS NOT NULL OR given_up_at IS NOT NULL))
    )`);
  await knex.raw('CREATE INDEX mail_message_due ON mail_message (next_attempt_at, id) WHERE sealed IS NOT NULL');
  await knex.raw('CREATE INDEX mail_message_by_created ON mail_message (created_at, id)');
  await knex.raw('CREATE INDEX mail_message_by_recipient ON mail_message (recipient_mac, created_at)');
  // A request only posts; it never sees a message again, not even its own tenant's.
  await isolateTenant(knex, 'mail_message', {
    app: 'INSERT (id, tenant_id, template, recipient_mac, sealed, created_at, next_attempt_at)',
    platform: 'SELECT, INSERT, UPDATE, DELETE',
  });
  await allowPlatform(knex, 'mail_message', 'queue', 'INSERT');
  await allowPlatform(knex, 'mail_message', 'find', 'SELECT');
  await allowPlatform(knex, 'mail_message', 'deliver', 'UPDATE');
  await allowPlatform(knex, 'mail_message', 'discard', 'DELETE');

  // Drafts end by themselves: a job asks every tenant for those that are due.
  await knex.raw(
    `CREATE INDEX application_drafts ON application (tenant_id, environment, expires_at) WHERE status = 'draft'`,
  );
}
