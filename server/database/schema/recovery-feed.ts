/**
 * Part of the first migration: the event feed of recoveries. Called by index.ts of this folder when a new database is
 * created. Triggers refuse a head that goes back, because readers would miss events.
 */
import type { Knex } from 'knex';
import { PLATFORM_TENANT_ID } from '../roles.ts';
import { allowPlatform, isolateTenant, refuseDeletion, refuseUpdate } from '../row-level-security.ts';
import { allowOnlyErasure, HAS_NO_EVENTS, IS_OLD, allowOnlyLatePurge } from './retention.ts';

/**
 * The feed of funds-recovery events. The head row of a feed gives the sequence: a publisher locks it last, so sequence
 * order is visibility order and the sequence has no holes.
 */
export async function recoveryFeed(knex: Knex): Promise<void> {
  await createFeeds(knex);
  await createEvents(knex);
  await createConsumers(knex);
  await createRecoveryStates(knex);
}

async function createFeeds(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE fr_feed (
      tenant_id uuid NOT NULL REFERENCES tenant,
      env text NOT NULL CHECK (env IN ('live', 'sandbox')),
      generation integer NOT NULL DEFAULT 1,
      last_seq bigint NOT NULL DEFAULT 0,
      floor_seq bigint NOT NULL DEFAULT 0,
      PRIMARY KEY (tenant_id, env),
      CHECK (floor_seq BETWEEN 0 AND last_seq)
    );
    INSERT INTO fr_feed (tenant_id, env)
      VALUES ('${PLATFORM_TENANT_ID}', 'live'), ('${PLATFORM_TENANT_ID}', 'sandbox')`);
  await isolateTenant(knex, 'fr_feed', { app: 'SELECT', platform: 'SELECT' });
  // The positions of all feeds are compared with the marker that is kept outside the database.
  await allowPlatform(knex, 'fr_feed', 'restored', 'SELECT');
  await refuseUpdate(
    knex,
    'fr_feed',
    'goes_forward',
    'NEW.generation < OLD.generation OR (NEW.generation = OLD.generation AND (NEW.last_seq < OLD.last_seq OR ' +
      'NEW.floor_seq < OLD.floor_seq))',
  );
  // After a restore the service ends all cursors of a live feed: it starts a new generation and changes nothing else.
  await refuseUpdate(
    knex,
    'fr_feed',
    'live_goes_on',
    `OLD.env = 'live' AND NEW.generation <> OLD.generation
      AND (NEW.last_seq, NEW.floor_seq) <> (OLD.last_seq, OLD.floor_seq)`,
  );
}

async function createEvents(knex: Knex): Promise<void> {
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
    );
    CREATE INDEX fr_event_recovery ON fr_event (tenant_id, env, funds_recovery_id, seq)`);
  await isolateTenant(knex, 'fr_event', { app: 'SELECT, DELETE' });
  await allowOnlyErasure(knex, 'fr_event', 'raw_payload');
  // Old events that no reader can reach any more.
  await allowOnlyLatePurge(
    knex,
    'fr_event',
    `${IS_OLD} AND OLD.seq <= (SELECT floor_seq FROM fr_feed f WHERE f.tenant_id = OLD.tenant_id ` +
      'AND f.env = OLD.env)',
  );
}

async function createConsumers(knex: Knex): Promise<void> {
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
  await isolateTenant(knex, 'fr_consumer', { app: 'SELECT, DELETE' });
  await refuseUpdate(
    knex,
    'fr_consumer',
    'goes_forward',
    '(NEW.generation, NEW.acked_seq) < (OLD.generation, OLD.acked_seq)',
  );
  await refuseDeletion(knex, 'fr_consumer', 'sandbox_only', `OLD.env = 'live'`);
}

/**
 * Creates one row per recovery, written with its events: the polling cadence asks which phases are open, and asking the
 * events would cost more as the feed grows.
 */
async function createRecoveryStates(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE fr_recovery (
      tenant_id uuid NOT NULL,
      env text NOT NULL,
      funds_recovery_id uuid NOT NULL,
      status text NOT NULL,
      phase_began_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, env, funds_recovery_id),
      FOREIGN KEY (tenant_id, env) REFERENCES fr_feed (tenant_id, env)
    );
    CREATE INDEX fr_recovery_open ON fr_recovery (tenant_id, env, status, phase_began_at)
      WHERE status NOT IN ('COMPLETED', 'CANCELLED')`);
  await isolateTenant(knex, 'fr_recovery', { app: 'SELECT, DELETE' });
  await allowOnlyLatePurge(knex, 'fr_recovery', HAS_NO_EVENTS);
}
