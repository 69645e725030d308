import type { Knex } from 'knex';
import { allowPlatform, grant, isolateTenant } from './row-level-security.ts';

/** Logins: one session is one family of refresh tokens, of which only hashes are kept. */
export async function sessions(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE session (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      user_id uuid NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      last_seen_at timestamptz(3) NOT NULL DEFAULT now(),
      absolute_expires_at timestamptz(3) NOT NULL,
      ended_at timestamptz(3),
      ended_reason text
        CHECK (ended_reason IN ('logout', 'expired', 'reuse_detected', 'password_changed', 'administrator')),
      user_agent text,
      user_agent_hash bytea CHECK (octet_length(user_agent_hash) = 32),
      ip text,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, user_id) REFERENCES membership (tenant_id, user_id),
      CHECK ((ended_at IS NULL) = (ended_reason IS NULL))
    )`);
  await knex.raw('CREATE INDEX session_by_user ON session (tenant_id, user_id)');
  await isolateTenant(knex, 'session', { app: 'SELECT, UPDATE', platform: 'SELECT, INSERT, UPDATE' });
  await allowPlatform(knex, 'session', 'refresh', 'SELECT');

  // successor: the hash of the next token. The token itself derives from this one, so a retry within
  // the window gets it again.
  await knex.raw(`
    CREATE TABLE refresh_token (
      tenant_id uuid NOT NULL,
      hash bytea NOT NULL CONSTRAINT refresh_token_hash_key UNIQUE CHECK (octet_length(hash) = 32),
      session_id uuid NOT NULL,
      issued_at timestamptz(3) NOT NULL DEFAULT now(),
      expires_at timestamptz(3) NOT NULL,
      superseded_at timestamptz(3),
      successor bytea,
      PRIMARY KEY (tenant_id, hash),
      FOREIGN KEY (tenant_id, session_id) REFERENCES session (tenant_id, id)
    )`);
  await knex.raw('CREATE INDEX refresh_token_by_session ON refresh_token (tenant_id, session_id)');
  await isolateTenant(knex, 'refresh_token', { app: 'SELECT', platform: 'SELECT, INSERT, UPDATE' });
  await allowPlatform(knex, 'refresh_token', 'refresh', 'SELECT');
  // SELECT … FOR UPDATE also needs the UPDATE policy: rotation locks the row before its tenant is known.
  await allowPlatform(knex, 'refresh_token', 'rotation', 'UPDATE');

  // Keyed by HMAC of the e-mail address, known or not, or by the caller's address: it belongs to no tenant.
  await knex.raw(`
    CREATE TABLE login_throttle (
      key text PRIMARY KEY,
      failures integer NOT NULL DEFAULT 0,
      lockouts integer NOT NULL DEFAULT 0,
      window_start timestamptz(3) NOT NULL DEFAULT now(),
      locked_until timestamptz(3)
    )`);
  await grant(knex, 'login_throttle', { platform: 'SELECT, INSERT, UPDATE, DELETE' });
}
