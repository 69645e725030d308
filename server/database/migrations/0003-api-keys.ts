import type { Knex } from 'knex';
import { allowPlatform, isolateTenant } from './row-level-security.ts';

/** API keys, which are OAuth clients too. Only a keyed hash of the secret is kept; "expired" is computed. */
export async function apiKeys(knex: Knex): Promise<void> {
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
      expires_at timestamptz(3),
      secret_mac bytea NOT NULL CHECK (octet_length(secret_mac) = 32),
      pepper_version integer NOT NULL DEFAULT 1,
      status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'rotating', 'revoked')),
      successor_prefix text,
      grace_until timestamptz(3),
      created_by jsonb NOT NULL,
      last_used_at timestamptz(3),
      last_used_ip text,
      revoked_at timestamptz(3),
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, id),
      CHECK ((status = 'revoked') = (revoked_at IS NOT NULL)),
      CHECK ((status = 'rotating') <= (successor_prefix IS NOT NULL AND grace_until IS NOT NULL))
    )`);
  await knex.raw('CREATE INDEX api_key_by_created ON api_key (tenant_id, created_at, id)');
  await isolateTenant(knex, 'api_key', {
    app: 'SELECT, INSERT, UPDATE',
    platform: 'SELECT, INSERT, UPDATE (last_used_at, last_used_ip)',
  });
  await allowPlatform(knex, 'api_key', 'authentication', 'SELECT');
  await allowPlatform(knex, 'api_key', 'last_use', 'UPDATE');
}
