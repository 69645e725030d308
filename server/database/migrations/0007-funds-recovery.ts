import type { Knex } from 'knex';
import { isolateTenant } from './row-level-security.ts';

/**
 * The feed of funds-recovery events. The head row of a feed gives the sequence: a publisher locks it last,
 * so sequence order is visibility order and the sequence has no holes.
 */
export async function fundsRecovery(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE fr_feed (
      tenant_id uuid NOT NULL REFERENCES tenant,
      env text NOT NULL CHECK (env IN ('live', 'sandbox')),
      generation integer NOT NULL DEFAULT 1,
      last_seq bigint NOT NULL DEFAULT 0,
      floor_seq bigint NOT NULL DEFAULT 0,
      PRIMARY KEY (tenant_id, env),
      CHECK (floor_seq BETWEEN 0 AND last_seq)
    )`);
  await isolateTenant(knex, 'fr_feed', {
    app: 'SELECT, UPDATE (generation, last_seq, floor_seq)',
    platform: 'SELECT, INSERT',
  });

  await knex.raw(`
    CREATE TABLE fr_event (
      tenant_id uuid NOT NULL,
      env text NOT NULL,
      seq bigint NOT NULL CHECK (seq > 0),
      event_id text NOT NULL,
      funds_recovery_id uuid NOT NULL,
      event_type text NOT NULL,
      status text NOT NULL,
      occurred_at timestamptz(3) NOT NULL,
      received_at timestamptz(3) NOT NULL DEFAULT now(),
      dedupe_key text NOT NULL,
      raw_payload jsonb,
      PRIMARY KEY (tenant_id, env, seq),
      CONSTRAINT fr_event_dedupe_key UNIQUE (tenant_id, env, dedupe_key),
      FOREIGN KEY (tenant_id, env) REFERENCES fr_feed (tenant_id, env)
    )`);
  await isolateTenant(knex, 'fr_event', { app: 'SELECT, INSERT, DELETE' });
  await knex.raw(`
    CREATE TRIGGER sandbox_only BEFORE DELETE ON fr_event FOR EACH ROW WHEN (OLD.env = 'live')
      EXECUTE FUNCTION refuse_live_deletion()`);

  await knex.raw(`
    CREATE TABLE fr_consumer (
      tenant_id uuid NOT NULL,
      env text NOT NULL,
      consumer_id text NOT NULL,
      -- A position says nothing about a feed that was started anew since.
      generation integer NOT NULL DEFAULT 1,
      acked_seq bigint NOT NULL DEFAULT 0,
      acked_at timestamptz(3),
      last_polled_at timestamptz(3),
      PRIMARY KEY (tenant_id, env, consumer_id),
      FOREIGN KEY (tenant_id, env) REFERENCES fr_feed (tenant_id, env)
    )`);
  await isolateTenant(knex, 'fr_consumer', { app: 'SELECT, INSERT, UPDATE, DELETE' });

  // One row per recovery, written with its events: the polling cadence asks which phases are open, and asking the
  // events would cost more as the feed grows.
  await knex.raw(`
    CREATE TABLE fr_recovery (
      tenant_id uuid NOT NULL,
      env text NOT NULL,
      funds_recovery_id uuid NOT NULL,
      status text NOT NULL,
      phase_began_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, env, funds_recovery_id),
      FOREIGN KEY (tenant_id, env) REFERENCES fr_feed (tenant_id, env)
    )`);
  await knex.raw(`
    CREATE INDEX fr_recovery_open ON fr_recovery (tenant_id, env, status, phase_began_at)
      WHERE status NOT IN ('COMPLETED', 'CANCELLED')`);
  await isolateTenant(knex, 'fr_recovery', { app: 'SELECT, INSERT, UPDATE, DELETE' });
  await knex.raw(`
    CREATE TRIGGER sandbox_only BEFORE DELETE ON fr_recovery FOR EACH ROW WHEN (OLD.env = 'live')
      EXECUTE FUNCTION refuse_live_deletion()`);
}
