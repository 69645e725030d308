/**
 * Part of the first migration: sessions, refresh tokens and failure counters. Called by index.ts of this folder when a
 * new database is created. Only hashes of tokens are stored.
 */
import type { Knex } from 'knex';
import { allowPlatform, anyChanges, grant, isolateTenant, refuseUpdate } from '../row-level-security.ts';
import { announceUpdates } from './functions.ts';

/** Sessions with their refresh tokens, and what slows down those who guess passwords. */
export async function sessions(knex: Knex): Promise<void> {
  await createSessions(knex);
  await createRefreshTokens(knex);
  await createThrottle(knex);
}

async function createSessions(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE session (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      user_id uuid NOT NULL,
      mfa boolean NOT NULL DEFAULT false,
      -- When the person last gave a code.
      step_up_at timestamptz(3),
      -- How long the session lasts without being used.
      idle_seconds integer NOT NULL DEFAULT 1209600 CHECK (idle_seconds > 0),
      -- The password that opened the session is weaker than what is asked of new ones.
      password_outdated boolean NOT NULL DEFAULT false,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      last_seen_at timestamptz(3) NOT NULL DEFAULT now(),
      absolute_expires_at timestamptz(3) NOT NULL,
      ended_at timestamptz(3),
      ended_reason text CHECK (ended_reason IN (
        'logout', 'expired', 'reuse_detected', 'password_changed', 'password_reset', 'mfa_changed', 'role_changed',
          'deactivated', 'administrator')),
      user_agent text,
      user_agent_hash bytea CHECK (octet_length(user_agent_hash) = 32),
      ip text,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, user_id) REFERENCES membership (tenant_id, user_id),
      CHECK ((ended_at IS NULL) = (ended_reason IS NULL))
    );
    CREATE INDEX session_by_user ON session (tenant_id, user_id)`);
  await isolateTenant(knex, 'session', { app: 'SELECT', platform: 'SELECT, DELETE' });
  await allowPlatform(knex, 'session', 'refresh', 'SELECT');
  // A new password or a new second factor ends the person's sessions in every tenant.
  await allowPlatform(knex, 'session', 'person', 'UPDATE');
  await allowPlatform(knex, 'session', 'purge_ended', {
    command: 'DELETE',
    where: `absolute_expires_at < now() - interval '90 days'`,
  });
  await refuseUpdate(
    knex,
    'session',
    'ended_stays',
    `OLD.ended_at IS NOT NULL AND ${anyChanges(['ended_at', 'ended_reason'])}`,
  );
  await announceUpdates(
    knex,
    'session',
    ['session', 'tenant_id', 'id'],
    ['last_seen_at', 'idle_seconds', 'step_up_at', 'password_outdated'],
  );
}

/** Creates the refresh tokens. A session is one family of them, of which only hashes are kept. */
async function createRefreshTokens(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE refresh_token (
      tenant_id uuid NOT NULL,
      hash bytea NOT NULL CONSTRAINT refresh_token_hash_key UNIQUE CHECK (octet_length(hash) = 32),
      session_id uuid NOT NULL,
      issued_at timestamptz(3) NOT NULL DEFAULT now(),
      expires_at timestamptz(3) NOT NULL,
      superseded_at timestamptz(3),
      -- The hash of the next token. The token itself derives from this one, so a retry within the window gets it again.
      successor bytea,
      PRIMARY KEY (tenant_id, hash),
      FOREIGN KEY (tenant_id, session_id) REFERENCES session (tenant_id, id)
    );
    CREATE INDEX refresh_token_by_session ON refresh_token (tenant_id, session_id)`);
  await isolateTenant(knex, 'refresh_token', { app: 'SELECT', platform: 'SELECT, DELETE' });
  await allowPlatform(knex, 'refresh_token', 'refresh', 'SELECT');
  // SELECT … FOR UPDATE also needs the UPDATE policy: rotation locks the row before its tenant is known.
  await allowPlatform(knex, 'refresh_token', 'rotation', 'UPDATE');
  await allowPlatform(knex, 'refresh_token', 'purge_expired', {
    command: 'DELETE',
    where: `expires_at < now() - interval '30 days'`,
  });
  await refuseUpdate(
    knex,
    'refresh_token',
    'superseded_stays',
    `OLD.superseded_at IS NOT NULL AND ${anyChanges(['superseded_at', 'successor'])}`,
  );
  await refuseUpdate(knex, 'refresh_token', 'expiry_stays', anyChanges(['expires_at']));
}

/** Creates what belongs to no tenant, because it is read before it is known whether there is an account. */
async function createThrottle(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Keyed by HMAC of the e-mail address, known or not, or by the caller's address.
    CREATE TABLE login_throttle (
      key text PRIMARY KEY,
      -- The keyed hash of the e-mail address that the counter concerns, so that all of one account end together.
      account text,
      failures integer NOT NULL DEFAULT 0,
      lockouts integer NOT NULL DEFAULT 0,
      window_start timestamptz(3) NOT NULL DEFAULT now(),
      locked_until timestamptz(3)
    );
    CREATE INDEX login_throttle_by_account ON login_throttle (account);

    -- Where people signed in before, so that the failures of strangers elsewhere do not lock them out there. A place is
    -- a keyed hash of the account with the site of a client's address or with the token of a device.
    CREATE TABLE known_place (
      account text NOT NULL,
      place text NOT NULL,
      kind text NOT NULL CHECK (kind IN ('site', 'device')),
      seen_at timestamptz(3) NOT NULL,
      PRIMARY KEY (account, place)
    );
    CREATE INDEX known_place_by_seen ON known_place (seen_at)`);
  for (const table of ['login_throttle', 'known_place']) await grant(knex, table, { platform: 'SELECT, DELETE' });
}
