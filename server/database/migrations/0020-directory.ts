import type { Knex } from 'knex';
import { allowPlatform, grant, isolateTenant } from './row-level-security.ts';

/** What the service has learned from the directory, and how far it has read. The feed follows from it. */
export async function directory(knex: Knex): Promise<void> {
  // Beside fr_recovery, which a publisher writes while it holds the head of the feed: whoever derives events locks
  // these rows long before it.
  await knex.raw(`
    CREATE TABLE fr_record (
      tenant_id uuid NOT NULL REFERENCES tenant,
      env text NOT NULL CHECK (env IN ('live', 'sandbox')),
      funds_recovery_id uuid NOT NULL,
      ispb text NOT NULL,
      role text NOT NULL CHECK (role IN ('SENT', 'RECEIVED', 'BOTH')),
      root_transaction_id text NOT NULL,
      status text NOT NULL,
      revision integer NOT NULL,
      created_at timestamptz(3) NOT NULL,
      last_modified timestamptz(3) NOT NULL,
      analysed_at timestamptz(3),
      next_deadline_at timestamptz(3),
      next_deadline_stage text,
      -- When to look at it although the directory announces nothing: a deadline, or the end of a wait.
      wake_at timestamptz(3),
      last_read_at timestamptz(3) NOT NULL,
      published_keys jsonb NOT NULL,
      held jsonb NOT NULL,
      -- The newest documents of the directory, under its names, every leaf as it was received.
      snapshot jsonb NOT NULL,
      PRIMARY KEY (tenant_id, env, funds_recovery_id)
    )`);
  await knex.raw('CREATE INDEX fr_record_wake ON fr_record (tenant_id, env, ispb, wake_at) WHERE wake_at IS NOT NULL');
  await knex.raw(`
    CREATE INDEX fr_record_open ON fr_record (tenant_id, env, ispb, last_read_at)
      WHERE status NOT IN ('COMPLETED', 'CANCELLED')`);
  await isolateTenant(knex, 'fr_record', { app: 'SELECT, INSERT, UPDATE, DELETE' });
  // In which sandboxes something is under way: they are polled more often.
  await allowPlatform(knex, 'fr_record', 'polling', 'SELECT', "env = 'sandbox'");
  await grant(knex, 'fr_record', { platform: 'SELECT (tenant_id, env, status, wake_at)' });

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
    )`);
  await isolateTenant(knex, 'dict_stream', { app: 'SELECT, INSERT, UPDATE, DELETE' });

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
    )`);
  await isolateTenant(knex, 'dict_inbox', { app: 'SELECT, INSERT, DELETE' });

  for (const table of ['fr_record', 'dict_stream', 'dict_inbox']) {
    await knex.raw(`
      CREATE TRIGGER sandbox_only BEFORE DELETE ON ${table} FOR EACH ROW WHEN (OLD.env = 'live')
        EXECUTE FUNCTION refuse_live_deletion()`);
  }
}
