import type { Knex } from 'knex';
import { isolateTenant } from './row-level-security.ts';

/**
 * The audit log: rows are only ever added, and each one's hash covers the one before. The head row gives
 * the next sequence number and serialises the writers of one tenant.
 */
export async function audit(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE audit_head (
      tenant_id uuid PRIMARY KEY REFERENCES tenant,
      sequence bigint NOT NULL DEFAULT 0,
      prev_hash bytea NOT NULL CHECK (octet_length(prev_hash) = 32),
      hash bytea NOT NULL CHECK (octet_length(hash) = 32)
    )`);
  await isolateTenant(knex, 'audit_head', {
    app: 'SELECT, UPDATE (sequence, prev_hash, hash)',
    platform: 'SELECT, INSERT, UPDATE (sequence, prev_hash, hash)',
  });

  await knex.raw(`
    CREATE TABLE audit_event (
      tenant_id uuid NOT NULL,
      sequence bigint NOT NULL CHECK (sequence > 0),
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      occurred_at timestamptz(3) NOT NULL,
      actor jsonb NOT NULL,
      action text NOT NULL,
      resource_type text NOT NULL,
      resource_id text,
      outcome text NOT NULL CHECK (outcome IN ('success', 'denied', 'failed')),
      reason text,
      request_id text,
      ip text,
      user_agent text,
      changes jsonb NOT NULL,
      sealed_ref text,
      prev_hash bytea NOT NULL CHECK (octet_length(prev_hash) = 32),
      hash bytea NOT NULL CHECK (octet_length(hash) = 32),
      canonical text NOT NULL,
      PRIMARY KEY (tenant_id, sequence),
      CONSTRAINT audit_event_id_key UNIQUE (tenant_id, id)
    )`);
  await isolateTenant(knex, 'audit_event', { app: 'SELECT, INSERT', platform: 'SELECT, INSERT' });

  // Privileges stop the two roles of the service; the triggers also stop the owner and a superuser's slip.
  await knex.raw(`
    CREATE FUNCTION refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% of % is refused: the audit log only grows', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
    END $$`);
  await knex.raw(`
    CREATE TRIGGER only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_event
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting()`);
  await knex.raw(`
    CREATE TRIGGER only_grows BEFORE DELETE OR TRUNCATE ON audit_head
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting()`);
  await knex.raw(`
    CREATE TRIGGER one_step_forward BEFORE UPDATE ON audit_head FOR EACH ROW
      WHEN (NEW.tenant_id <> OLD.tenant_id OR NEW.sequence <> OLD.sequence + 1 OR NEW.prev_hash <> OLD.hash)
      EXECUTE FUNCTION refuse_rewriting()`);
}
