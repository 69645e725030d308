/**
 * Part of the first migration: tables of persons. Called by index.ts of this folder when a new database is created. It
 * runs once for each database; after a release, changes need a new migration.
 */
import type { Knex } from 'knex';
import { roles } from '../roles.ts';
import { allowPlatform, anyChanges, forceRowSecurity, grant, refuseUpdate } from '../row-level-security.ts';
import { announceUpdates } from './functions.ts';

/**
 * Persons who sign in, with their second factors and passwords. A person belongs to no tenant and may be a member of
 * several (members.ts). Every timestamp has milliseconds, the precision of the wire: finer ones would make keyset
 * cursors skip rows.
 */
export async function accounts(knex: Knex): Promise<void> {
  await createAccounts(knex);
  await createSecondFactors(knex);
  await createPasswords(knex);
}

async function createAccounts(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE user_account (
      id uuid PRIMARY KEY,
      email_normalised text NOT NULL CONSTRAINT user_account_email_key UNIQUE,
      email text NOT NULL,
      name text NOT NULL,
      -- A person who was invited has no password yet.
      password_hash text,
      password_changed_at timestamptz(3) NOT NULL DEFAULT now(),
      status text NOT NULL DEFAULT 'active' CHECK (status IN ('invited', 'active', 'locked', 'deactivated')),
      -- The end of a lockout after wrong passwords; the counters are kept under keyed hashes of addresses.
      locked_until timestamptz(3),
      last_login_at timestamptz(3),
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now(),
      CONSTRAINT user_account_password_check CHECK (password_hash IS NOT NULL OR status <> 'active')
    )`);
  await forceRowSecurity(knex, 'user_account');
  await allowPlatform(knex, 'user_account', 'login', 'SELECT');
  await allowPlatform(knex, 'user_account', 'registration', 'INSERT');
  await allowPlatform(knex, 'user_account', 'administration', 'UPDATE');
  await grant(knex, 'user_account', { platform: 'SELECT' });
  await refuseUpdate(
    knex,
    'user_account',
    'deactivated_stays',
    `OLD.status = 'deactivated' AND NEW.status <> OLD.status`,
  );
  await announceUpdates(knex, 'user_account', ['user', 'id'], ['last_login_at', 'locked_until']);
}

async function createSecondFactors(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE user_totp (
      user_id uuid PRIMARY KEY REFERENCES user_account,
      -- Sealed.
      secret bytea NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      -- The end of an enrolment that waits for its first code.
      expires_at timestamptz(3),
      confirmed_at timestamptz(3),
      -- The step of the last code, so that no code works twice.
      last_step bigint,
      CHECK ((confirmed_at IS NULL) = (expires_at IS NOT NULL))
    );
    CREATE TABLE recovery_code (
      user_id uuid NOT NULL REFERENCES user_account,
      hash bytea NOT NULL CHECK (octet_length(hash) = 32),
      used_at timestamptz(3),
      PRIMARY KEY (user_id, hash)
    )`);
  await allowPerson(knex, 'user_totp');
  await allowPerson(knex, 'recovery_code');
  await refuseUpdate(
    knex,
    'user_totp',
    'confirmed_stays',
    `OLD.confirmed_at IS NOT NULL AND ${anyChanges(['secret', 'created_at', 'confirmed_at', 'expires_at'])}`,
  );
  await refuseUpdate(knex, 'user_totp', 'step_stays', 'coalesce(NEW.last_step, -1) < coalesce(OLD.last_step, -1)');
  await refuseUpdate(knex, 'recovery_code', 'used_stays', `OLD.used_at IS NOT NULL AND ${anyChanges(['used_at'])}`);
  await announceUpdates(knex, 'user_totp', ['user', 'user_id'], ['last_step']);
  // A second factor ends with the deletion of its row.
  await knex.raw(`
    CREATE TRIGGER announces_end AFTER DELETE ON user_totp FOR EACH ROW
      EXECUTE FUNCTION announce_change('user', 'user_id')`);
}

async function createPasswords(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE password_history (
      user_id uuid NOT NULL REFERENCES user_account,
      password_hash text NOT NULL,
      replaced_at timestamptz(3) NOT NULL,
      PRIMARY KEY (user_id, password_hash)
    );
    CREATE TABLE password_reset (
      user_id uuid NOT NULL REFERENCES user_account,
      hash bytea NOT NULL CONSTRAINT password_reset_hash_key UNIQUE CHECK (octet_length(hash) = 32),
      requested_at timestamptz(3) NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      PRIMARY KEY (user_id, hash)
    )`);
  await allowPerson(knex, 'password_history');
  await allowPerson(knex, 'password_reset');
  await refuseUpdate(knex, 'password_reset', 'expiry_stays', anyChanges(['expires_at']));
}

/** Allows the platform's role alone to work with a table about persons; its statements name one person. */
async function allowPerson(knex: Knex, table: string): Promise<void> {
  await forceRowSecurity(knex, table);
  await knex.raw(`CREATE POLICY person ON ${table} TO ${roles.platform} USING (true) WITH CHECK (true)`);
  await grant(knex, table, { platform: 'SELECT, DELETE' });
}
