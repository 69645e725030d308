import type { Knex } from 'knex';
import { allowPlatform, currentTenant, forceRowSecurity, grant, isolateTenant } from './row-level-security.ts';
import { roles } from '../roles.ts';

/** Second factors, passwords and invitations. What belongs to a person belongs to no tenant. */
export async function accounts(knex: Knex): Promise<void> {
  await changeAccounts(knex);
  await changeSessions(knex);
  await addSecondFactors(knex);
  await addPasswords(knex);
  await addInvitations(knex);
}

async function changeAccounts(knex: Knex): Promise<void> {
  // Who was invited has no password yet.
  await knex.raw('ALTER TABLE user_account ALTER COLUMN password_hash DROP NOT NULL');
  await knex.raw(
    `ALTER TABLE user_account ADD CONSTRAINT user_account_password_check
      CHECK (password_hash IS NOT NULL OR status <> 'active')`,
  );
  // A tenant sees when a person came to it last, not when they went to another one.
  await knex.raw(`
    ALTER TABLE membership
      ADD COLUMN last_login_at timestamptz(3),
      ADD COLUMN version integer NOT NULL DEFAULT 1 CHECK (version > 0),
      DROP CONSTRAINT membership_status_check,
      ADD CONSTRAINT membership_status_check CHECK (status IN ('invited', 'active', 'locked', 'deactivated'))`);
  await grant(knex, 'membership', { app: 'UPDATE (role, status, version, updated_at)' });
  await grant(knex, 'user_account', { app: 'UPDATE (name, updated_at)' });
  await knex.raw(`
    CREATE POLICY colleague_rename ON user_account FOR UPDATE TO ${roles.app} USING (
      EXISTS (SELECT FROM membership m WHERE m.tenant_id = ${currentTenant} AND m.user_id = user_account.id))`);
}

async function changeSessions(knex: Knex): Promise<void> {
  // step_up_at: when a code was given last. idle_seconds: how long the login lasts without being used.
  // password_outdated: the password that opened it is weaker than what is asked of new ones.
  await knex.raw(`
    ALTER TABLE session
      ADD COLUMN mfa boolean NOT NULL DEFAULT false,
      ADD COLUMN step_up_at timestamptz(3),
      ADD COLUMN idle_seconds integer NOT NULL DEFAULT 1209600 CHECK (idle_seconds > 0),
      ADD COLUMN password_outdated boolean NOT NULL DEFAULT false,
      DROP CONSTRAINT session_ended_reason_check,
      ADD CONSTRAINT session_ended_reason_check CHECK (ended_reason IN (
        'logout', 'expired', 'reuse_detected', 'password_changed', 'password_reset', 'mfa_changed', 'role_changed',
          'deactivated', 'administrator'))`);
  // A new password or a new second factor ends the person's sessions in every tenant.
  await allowPlatform(knex, 'session', 'person', 'UPDATE');
  for (const table of ['session', 'refresh_token']) await grant(knex, table, { platform: 'DELETE' });
  await allowPlatform(knex, 'session', 'purge_ended', 'DELETE', `absolute_expires_at < now() - interval '90 days'`);
  await allowPlatform(knex, 'refresh_token', 'purge_expired', 'DELETE', `expires_at < now() - interval '30 days'`);
}

async function addSecondFactors(knex: Knex): Promise<void> {
  // secret: sealed. expires_at: the end of an enrolment that waits for its first code. last_step: no code works twice.
  await knex.raw(`
    CREATE TABLE user_totp (
      user_id uuid PRIMARY KEY REFERENCES user_account,
      secret bytea NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      expires_at timestamptz(3),
      confirmed_at timestamptz(3),
      last_step bigint,
      CHECK ((confirmed_at IS NULL) = (expires_at IS NOT NULL))
    )`);
  await knex.raw(`
    CREATE TABLE recovery_code (
      user_id uuid NOT NULL REFERENCES user_account,
      hash bytea NOT NULL CHECK (octet_length(hash) = 32),
      used_at timestamptz(3),
      PRIMARY KEY (user_id, hash)
    )`);
  await ofPerson(knex, 'user_totp', 'SELECT, INSERT, UPDATE, DELETE');
  await ofPerson(knex, 'recovery_code', 'SELECT, INSERT, UPDATE (used_at), DELETE');
  // Colleagues see whether somebody has a second factor, and nothing of it.
  await grant(knex, 'user_totp', { app: 'SELECT (user_id, confirmed_at)' });
  await knex.raw(`
    CREATE POLICY colleague ON user_totp FOR SELECT TO ${roles.app} USING (
      EXISTS (SELECT FROM membership m WHERE m.tenant_id = ${currentTenant} AND m.user_id = user_totp.user_id))`);
}

async function addPasswords(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE password_history (
      user_id uuid NOT NULL REFERENCES user_account,
      password_hash text NOT NULL,
      replaced_at timestamptz(3) NOT NULL,
      PRIMARY KEY (user_id, password_hash)
    )`);
  await knex.raw(`
    CREATE TABLE password_reset (
      user_id uuid NOT NULL REFERENCES user_account,
      hash bytea NOT NULL CONSTRAINT password_reset_hash_key UNIQUE CHECK (octet_length(hash) = 32),
      requested_at timestamptz(3) NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      PRIMARY KEY (user_id, hash)
    )`);
  await ofPerson(knex, 'password_history', 'SELECT, INSERT, DELETE');
  await ofPerson(knex, 'password_reset', 'SELECT, INSERT, UPDATE, DELETE');
}

async function addInvitations(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE invitation (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      user_id uuid NOT NULL,
      token_hash bytea NOT NULL CONSTRAINT invitation_token_key UNIQUE CHECK (octet_length(token_hash) = 32),
      invited_by jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL,
      sent_at timestamptz(3) NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      accepted_at timestamptz(3),
      revoked_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, user_id) REFERENCES membership (tenant_id, user_id),
      CHECK (accepted_at IS NULL OR revoked_at IS NULL)
    )`);
  await knex.raw(
    `CREATE UNIQUE INDEX invitation_open_key ON invitation (tenant_id, user_id)
      WHERE accepted_at IS NULL AND revoked_at IS NULL`,
  );
  await isolateTenant(knex, 'invitation', {
    app: 'SELECT (tenant_id, id, user_id, invited_by, created_at, sent_at, expires_at, accepted_at, revoked_at)',
    platform: 'SELECT, INSERT, UPDATE',
  });
  // The token names the tenant. Its row is locked before that tenant is set, which takes the UPDATE policy too.
  await allowPlatform(knex, 'invitation', 'acceptance', 'SELECT');
  await allowPlatform(knex, 'invitation', 'acceptance_lock', 'UPDATE');
}

/** A table about persons: only the platform's role works with it, and always for one person. */
async function ofPerson(knex: Knex, table: string, privileges: string): Promise<void> {
  await forceRowSecurity(knex, table);
  await knex.raw(`CREATE POLICY person ON ${table} TO ${roles.platform} USING (true) WITH CHECK (true)`);
  await grant(knex, table, { platform: privileges });
}
