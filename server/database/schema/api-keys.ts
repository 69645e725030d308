/**
 * Part of the first migration: tables of API keys. Called by index.ts of this folder when a new database is created.
 * Triggers keep an ended key from coming back, whatever a statement says.
 */
import type { Knex } from 'knex';
import { allowPlatform, anyChanges, isolateTenant, refuseUpdate } from '../row-level-security.ts';
import { announceUpdates } from './functions.ts';

/** API keys, which are OAuth clients too, how much they are used and from where. */
export async function apiKeys(knex: Knex): Promise<void> {
  await createKeys(knex);
  await endKeysForGood(knex);
  await countUse(knex);
}

async function createKeys(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE api_key (
      tenant_id uuid NOT NULL REFERENCES tenant,
      id uuid NOT NULL,
      prefix text NOT NULL CONSTRAINT api_key_prefix_key UNIQUE,
      name text NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'test')),
      scopes text[] NOT NULL CHECK (scopes <@ ARRAY['read', 'write', 'admin', 'kyb', 'screening']),
      pin_environment boolean NOT NULL DEFAULT false,
      ip_allowlist text[] NOT NULL DEFAULT '{}',
      -- How much of persons the key shows.
      personal_data text NOT NULL DEFAULT 'masked' CHECK (personal_data IN ('masked', 'full')),
      -- A keyed hash; the secret itself is not kept.
      secret_mac bytea NOT NULL CHECK (octet_length(secret_mac) = 32),
      pepper_version integer NOT NULL DEFAULT 1,
      -- The prefix of the client's first key: a rotation makes a new key of the same client, whose positions in the
      -- feed stay. A key that was created with another key uses the quota of that key's client.
      client_id text NOT NULL,
      quota_client_id text NOT NULL,
      -- The person who is responsible for the key, with their role of then.
      granted_by uuid,
      granted_role text,
      -- That a key has expired is computed from ends_at.
      status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'rotating', 'revoked')),
      successor_prefix text,
      grace_until timestamptz(3),
      expires_at timestamptz(3),
      -- The one place that says when a key ends that nobody revokes: its expiry, or its grace after a rotation.
      ends_at timestamptz(3) GENERATED ALWAYS
        AS (least(expires_at, CASE WHEN status = 'rotating' THEN grace_until END)) STORED,
      end_recorded_at timestamptz(3),
      revoked_at timestamptz(3),
      last_used_at timestamptz(3),
      last_used_ip text,
      version integer NOT NULL DEFAULT 1,
      created_by jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, granted_by) REFERENCES membership (tenant_id, user_id),
      CHECK ((status = 'revoked') = (revoked_at IS NOT NULL)),
      CHECK ((status = 'rotating') <= (successor_prefix IS NOT NULL AND grace_until IS NOT NULL)),
      CHECK (granted_by IS NULL OR granted_role IS NOT NULL)
    );
    CREATE INDEX api_key_by_created ON api_key (tenant_id, created_at, id);
    CREATE INDEX api_key_to_end ON api_key (tenant_id, ends_at)
      WHERE ends_at IS NOT NULL AND end_recorded_at IS NULL AND status <> 'revoked'`);
  await isolateTenant(knex, 'api_key', { app: 'SELECT', platform: 'SELECT' });
  await allowPlatform(knex, 'api_key', 'authentication', 'SELECT');
  await announceUpdates(knex, 'api_key', ['key', 'prefix'], ['last_used_at', 'last_used_ip', 'end_recorded_at']);
}

async function endKeysForGood(knex: Knex): Promise<void> {
  const rotation = ['successor_prefix', 'grace_until'];
  const granted = ['status', 'revoked_at', 'name', 'scopes', 'pin_environment', 'ip_allowlist', 'expires_at'];
  await refuseUpdate(
    knex,
    'api_key',
    'revoked_stays',
    `OLD.status = 'revoked' AND ${anyChanges([...granted, ...rotation])}`,
  );
  await refuseUpdate(
    knex,
    'api_key',
    'rotation_stays',
    `OLD.status = 'rotating' AND (NEW.status = 'active' OR ${anyChanges(rotation)})`,
  );
  await refuseUpdate(
    knex,
    'api_key',
    'end_stays',
    `(OLD.end_recorded_at IS NOT NULL AND ${anyChanges(['end_recorded_at'])})
      OR (OLD.ends_at <= now() AND ${anyChanges(['expires_at'])})`,
  );
}

async function countUse(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE api_key_usage (
      tenant_id uuid NOT NULL,
      key_id uuid NOT NULL,
      hour timestamptz(3) NOT NULL,
      requests bigint NOT NULL CHECK (requests >= 0),
      errors bigint NOT NULL CHECK (errors >= 0),
      PRIMARY KEY (tenant_id, key_id, hour),
      FOREIGN KEY (tenant_id, key_id) REFERENCES api_key (tenant_id, id)
    );

    -- A site is an IPv4 address or the /64 of an IPv6 one: another address of the same network is not reported as new.
    CREATE TABLE api_key_site (
      tenant_id uuid NOT NULL,
      key_id uuid NOT NULL,
      site text NOT NULL,
      first_seen_at timestamptz(3) NOT NULL,
      last_seen_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, key_id, site),
      FOREIGN KEY (tenant_id, key_id) REFERENCES api_key (tenant_id, id)
    )`);
  await isolateTenant(knex, 'api_key_usage', { app: 'SELECT, DELETE' });
  await isolateTenant(knex, 'api_key_site', { app: 'SELECT, DELETE' });
}
