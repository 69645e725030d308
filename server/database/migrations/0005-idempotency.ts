import type { Knex } from 'knex';
import { allowPlatform, isolateTenant } from './row-level-security.ts';

/**
 * Answers of committed calls, kept for repetition of the call. The body is sealed: it can hold a secret. The
 * environment is no part of the key: a retry that comes after the sandbox switch was turned is still the same call.
 */
export async function idempotency(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE idempotency_record (
      tenant_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      principal text NOT NULL,
      method text NOT NULL,
      path text NOT NULL,
      key_hash bytea NOT NULL CHECK (octet_length(key_hash) = 32),
      fingerprint bytea NOT NULL,
      status integer NOT NULL CHECK (status BETWEEN 200 AND 499),
      headers jsonb NOT NULL DEFAULT '{}',
      body bytea,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      expires_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, principal, method, path, key_hash)
    )`);
  await knex.raw('CREATE INDEX idempotency_record_by_expiry ON idempotency_record (tenant_id, expires_at)');
  await isolateTenant(knex, 'idempotency_record', {
    app: 'SELECT, INSERT, UPDATE, DELETE',
    platform: 'SELECT (tenant_id, expires_at), DELETE',
  });
  await allowPlatform(knex, 'idempotency_record', 'find_expired', 'SELECT', 'expires_at < now()');
  await allowPlatform(knex, 'idempotency_record', 'purge_expired', 'DELETE', 'expires_at < now()');
}
