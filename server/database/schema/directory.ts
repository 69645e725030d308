/**
 * Part of the first migration: tables about the directory and its simulator. Called by index.ts of this folder when a
 * new database is created. Live rows of streams cannot be deleted.
 */
import type { Knex } from 'knex';
import { allowPlatform, isolateTenant } from '../row-level-security.ts';
import { allowOnlyErasure, IS_OLD, allowOnlyLatePurge } from './retention.ts';

/** How far the service has read the directory, what it received, and the simulator of the directory. */
export async function directory(knex: Knex): Promise<void> {
  await createStreams(knex);
  await createInbox(knex);
  await createUnread(knex);
  await createSimulator(knex);
}

async function createStreams(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE dict_stream (
      tenant_id uuid NOT NULL REFERENCES tenant,
      env text NOT NULL CHECK (env IN ('live', 'sandbox')),
      ispb text NOT NULL,
      -- Tells a stream from one that took its place after a reset.
      incarnation uuid NOT NULL DEFAULT gen_random_uuid(),
      version integer NOT NULL DEFAULT 0,
      -- The cursor that produced the last page: the directory gives none for what comes after it.
      page_cursor text,
      -- The notifications of that page, which every further read repeats.
      tail jsonb NOT NULL DEFAULT '[]',
      watermarks jsonb NOT NULL DEFAULT '{}',
      reconciled_at timestamptz(3),
      last_ok_at timestamptz(3),
      gap_since timestamptz(3),
      PRIMARY KEY (tenant_id, env, ispb)
    );
    CREATE TRIGGER sandbox_only BEFORE DELETE ON dict_stream FOR EACH ROW WHEN (OLD.env = 'live')
      EXECUTE FUNCTION refuse_live_deletion()`);
  await isolateTenant(knex, 'dict_stream', { app: 'SELECT, DELETE' });
}

async function createInbox(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE dict_inbox (
      tenant_id uuid NOT NULL REFERENCES tenant,
      env text NOT NULL CHECK (env IN ('live', 'sandbox')),
      ispb text NOT NULL,
      id uuid NOT NULL DEFAULT gen_random_uuid(),
      received_at timestamptz(3) NOT NULL,
      -- Null when nothing readable came.
      sha256 text,
      xml bytea,
      verdict text NOT NULL,
      PRIMARY KEY (tenant_id, env, ispb, id),
      CONSTRAINT dict_inbox_page UNIQUE (tenant_id, env, ispb, sha256)
    );
    CREATE INDEX dict_inbox_received ON dict_inbox (tenant_id, env, received_at)`);
  await isolateTenant(knex, 'dict_inbox', { app: 'SELECT, DELETE' });
  await allowOnlyErasure(knex, 'dict_inbox', 'xml');
  await allowOnlyLatePurge(knex, 'dict_inbox', IS_OLD);
}

/**
 * Creates the recoveries that a list of the directory names and that were not read yet. So a list is read on at its own
 * cadence although reading recoveries takes longer, and a crash forgets none of them.
 */
async function createUnread(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE dict_unread (
      tenant_id uuid NOT NULL REFERENCES tenant,
      env text NOT NULL CHECK (env IN ('live', 'sandbox')),
      -- The participant that it concerns.
      ispb text NOT NULL,
      funds_recovery_id uuid NOT NULL,
      listed_at timestamptz(3) NOT NULL,
      -- The documents that the lists showed: a counterparty gets its own from nowhere else.
      reports jsonb NOT NULL,
      refunds jsonb NOT NULL,
      PRIMARY KEY (tenant_id, env, ispb, funds_recovery_id)
    );
    CREATE INDEX dict_unread_by_time ON dict_unread (tenant_id, env, ispb, listed_at)`);
  await isolateTenant(knex, 'dict_unread', { app: 'SELECT, DELETE' });
}

/**
 * Creates the journal of the embedded directory. What it holds of a tenant is a function of these commands, so it has
 * no other state and outlives any crash with the database. It exists in the sandbox alone.
 */
async function createSimulator(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE dict_sim_command (
      tenant_id uuid NOT NULL,
      env text NOT NULL CHECK (env = 'sandbox'),
      seq bigint NOT NULL CHECK (seq > 0),
      -- By the clock of the sandbox.
      at timestamptz(3) NOT NULL,
      command jsonb NOT NULL,
      PRIMARY KEY (tenant_id, env, seq)
    );

    -- How many more answers of the directory are disturbed in some way.
    CREATE TABLE dict_sim_fault (
      tenant_id uuid NOT NULL,
      env text NOT NULL CHECK (env = 'sandbox'),
      kind text NOT NULL,
      remaining integer NOT NULL CHECK (remaining >= 0),
      PRIMARY KEY (tenant_id, env, kind)
    )`);
  await isolateTenant(knex, 'dict_sim_command', { app: 'SELECT, DELETE', platform: 'SELECT' });
  // Sandboxes whose directory contains anything are polled.
  await allowPlatform(knex, 'dict_sim_command', 'polling', 'SELECT');
  await isolateTenant(knex, 'dict_sim_fault', { app: 'SELECT, DELETE', platform: 'SELECT' });
}
