/**
 * Part of the first migration: the table of stored responses. Called by index.ts of this folder when a new database is
 * created. Live rows can be deleted only after their expiry.
 */
import type { Knex } from 'knex';
import { allowPlatform, isolateTenant, refuseDeletion } from '../row-level-security.ts';

/** Stored answers of committed calls, replayed when a client repeats a call with the same Idempotency-Key. */
export async function idempotency(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE idempotency_record (
      tenant_id uuid NOT NULL,
      -- Not part of the primary key: a retry after the sandbox was switched on or off is still the same call.
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      principal text NOT NULL,
      method text NOT NULL,
      path text NOT NULL,
      key_hash bytea NOT NULL CHECK (octet_length(key_hash) = 32),
      fingerprint bytea NOT NULL,
      status integer NOT NULL CHECK (status BETWEEN 200 AND 499),
      headers jsonb NOT NULL DEFAULT '{}',
      -- Sealed, because it can hold a secret.
      body bytea,
      -- Whether the body contains unmasked personal data. If so, it is not replayed to a caller who may only see masked
      -- data.
      personal_data boolean NOT NULL DEFAULT true,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      expires_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, principal, method, path, key_hash)
    );
    CREATE INDEX idempotency_record_by_expiry ON idempotency_record (tenant_id, expires_at)`);
  // The platform's staff repeat calls as tenants do, so the platform role needs the same rights.
  await isolateTenant(knex, 'idempotency_record', { app: 'SELECT, DELETE', platform: 'SELECT, DELETE' });
  await allowPlatform(knex, 'idempotency_record', 'find_expired', { command: 'SELECT', where: 'expires_at < now()' });
  await allowPlatform(knex, 'idempotency_record', 'purge_expired', { command: 'DELETE', where: 'expires_at < now()' });
  await refuseDeletion(
    knex,
    'idempotency_record',
    'sandbox_or_over',
    `OLD.environment = 'live' AND OLD.expires_at > now()`,
  );
}
