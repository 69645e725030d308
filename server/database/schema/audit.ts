/**
 * Part of the first migration: tables of the audit log. Called by index.ts of this folder when a new database is
 * created. Rows can only be added, which triggers and rights enforce.
 */
import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { PLATFORM_TENANT_ID } from '../roles.ts';
import { allowPlatform, anyChanges, isolateTenant, refuseDeletion, refuseUpdate } from '../row-level-security.ts';

/** The audit log of each tenant, the Merkle tree over it with its signed checkpoints, and exports. */
export async function audit(knex: Knex): Promise<void> {
  await createChain(knex);
  await createTree(knex);
  await createExports(knex);
}

/** Creates the chain: rows are only ever added, and the hash of each covers the one before. */
async function createChain(knex: Knex): Promise<void> {
  // As server/audit/chain.ts begins a chain; the schema keeps the rule of its day.
  const genesis = `'\\x${createHash('sha256').update(PLATFORM_TENANT_ID).digest('hex')}'`;
  await knex.raw(`
    -- The head gives the next sequence number and serialises the writers of one tenant.
    CREATE TABLE audit_head (
      tenant_id uuid PRIMARY KEY REFERENCES tenant,
      sequence bigint NOT NULL DEFAULT 0,
      prev_hash bytea NOT NULL CHECK (octet_length(prev_hash) = 32),
      hash bytea NOT NULL CHECK (octet_length(hash) = 32)
    );
    INSERT INTO audit_head (tenant_id, prev_hash, hash) VALUES ('${PLATFORM_TENANT_ID}', ${genesis}, ${genesis});

    CREATE TABLE audit_event (
      tenant_id uuid NOT NULL,
      sequence bigint NOT NULL CHECK (sequence > 0),
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      occurred_at timestamptz(3) NOT NULL,
      actor jsonb NOT NULL,
      -- Columns, because below row-level security only leakproof conditions reach an index, and reading JSON is not.
      actor_type text NOT NULL GENERATED ALWAYS AS (actor ->> 'type') STORED,
      actor_id text GENERATED ALWAYS AS (actor ->> 'id') STORED,
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
      PRIMARY KEY (tenant_id, sequence),
      CONSTRAINT audit_event_id_key UNIQUE (tenant_id, id)
    );
    CREATE INDEX audit_event_by_time ON audit_event (tenant_id, occurred_at);
    -- Compares bytes, whatever the collation of the database, so that a prefix is a range.
    CREATE INDEX audit_event_by_action ON audit_event (tenant_id, action text_pattern_ops, sequence);
    CREATE INDEX audit_event_by_resource ON audit_event (tenant_id, resource_id, sequence);
    CREATE INDEX audit_event_by_actor ON audit_event (tenant_id, actor_id, sequence);
    CREATE INDEX audit_event_by_resource_type ON audit_event (tenant_id, resource_type, sequence);
    -- Only rare values are indexed: the rest is found soon enough by walking back, and costs no writer anything.
    CREATE INDEX audit_event_by_actor_type ON audit_event (tenant_id, actor_type, sequence)
      WHERE actor_type IN ('system', 'platform_user');
    CREATE INDEX audit_event_by_refusal ON audit_event (tenant_id, sequence) WHERE outcome <> 'success';

    -- Privileges stop the two roles of the service; these triggers also stop the owner and a superuser's slip.
    CREATE FUNCTION refuse_rewriting() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, public, pg_temp AS $$
    BEGIN
      RAISE EXCEPTION '% of % is refused: the audit log only grows', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
    END $$;
    CREATE TRIGGER only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_event
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();
    CREATE TRIGGER only_grows BEFORE DELETE OR TRUNCATE ON audit_head
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();
    CREATE TRIGGER one_step_forward BEFORE UPDATE ON audit_head FOR EACH ROW
      WHEN (NEW.tenant_id <> OLD.tenant_id OR NEW.sequence <> OLD.sequence + 1 OR NEW.prev_hash <> OLD.hash)
      EXECUTE FUNCTION refuse_rewriting()`);
  await isolateTenant(knex, 'audit_head', { app: 'SELECT', platform: 'SELECT' });
  await isolateTenant(knex, 'audit_event', { app: 'SELECT', platform: 'SELECT' });
  // Which tenants are due for a checkpoint is asked of all of them at once.
  await allowPlatform(knex, 'audit_head', 'checkpointing', 'SELECT');
}

/** Creates the interior nodes of the tree, so that a proof reads a few of them and no leaves, and the checkpoints. */
async function createTree(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE audit_node (
      tenant_id uuid NOT NULL,
      level smallint NOT NULL CHECK (level > 0),
      index bigint NOT NULL CHECK (index >= 0),
      hash bytea NOT NULL CHECK (octet_length(hash) = 32),
      PRIMARY KEY (tenant_id, level, index)
    );
    CREATE TRIGGER only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_node
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();

    CREATE TABLE audit_checkpoint (
      tenant_id uuid NOT NULL,
      tree_size bigint NOT NULL CHECK (tree_size > 0),
      root_hash bytea NOT NULL CHECK (octet_length(root_hash) = 32),
      head_hash bytea NOT NULL CHECK (octet_length(head_hash) = 32),
      signed_at timestamptz(3) NOT NULL,
      previous_hash bytea CHECK (octet_length(previous_hash) = 32),
      key_id text NOT NULL,
      signature bytea NOT NULL CHECK (octet_length(signature) = 64),
      hash bytea NOT NULL CHECK (octet_length(hash) = 32),
      PRIMARY KEY (tenant_id, tree_size)
    );
    CREATE INDEX audit_checkpoint_by_time ON audit_checkpoint (tenant_id, signed_at);
    CREATE TRIGGER only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_checkpoint
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();

    CREATE FUNCTION continue_checkpoints() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, public, pg_temp AS $$
    DECLARE
      newest record;
    BEGIN
      SELECT tree_size, hash INTO newest FROM audit_checkpoint WHERE tenant_id = NEW.tenant_id ORDER BY tree_size DESC
        LIMIT 1;
      IF NEW.tree_size <= newest.tree_size OR NEW.previous_hash IS DISTINCT FROM newest.hash THEN
        RAISE EXCEPTION 'a checkpoint of % events does not continue the one of %', NEW.tree_size, newest.tree_size
          USING ERRCODE = 'insufficient_privilege';
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER continues BEFORE INSERT ON audit_checkpoint FOR EACH ROW EXECUTE FUNCTION continue_checkpoints()`);
  await isolateTenant(knex, 'audit_node', { app: 'SELECT', platform: 'SELECT' });
  await isolateTenant(knex, 'audit_checkpoint', { app: 'SELECT', platform: 'SELECT' });
  await allowPlatform(knex, 'audit_checkpoint', 'checkpointing', 'SELECT');
}

/**
 * Creates the exports: which part of the log each contains, and how far a task has read it. The bytes follow from
 * that, so they are not kept.
 */
async function createExports(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE audit_export (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      status text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'ready', 'failed')),
      format text NOT NULL CHECK (format IN ('ndjson', 'csv')),
      include_proofs boolean NOT NULL,
      filter jsonb NOT NULL,
      environments text[] NOT NULL,
      first_sequence bigint NOT NULL,
      last_sequence bigint NOT NULL,
      position bigint NOT NULL,
      tree_size bigint,
      event_count bigint NOT NULL DEFAULT 0,
      size_bytes bigint NOT NULL DEFAULT 0,
      created_at timestamptz(3) NOT NULL,
      created_by jsonb NOT NULL,
      ready_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      CHECK ((status = 'ready') = (ready_at IS NOT NULL))
    );
    CREATE UNIQUE INDEX audit_export_running ON audit_export (tenant_id) WHERE status = 'running'`);
  await isolateTenant(knex, 'audit_export', { app: 'SELECT' });
  const ordered = ['format', 'include_proofs', 'filter', 'environments', 'first_sequence'];
  await refuseUpdate(
    knex,
    'audit_export',
    'ended_stays',
    `(OLD.status <> 'running' AND OLD IS DISTINCT FROM NEW) OR ${anyChanges(ordered)}`,
  );
  await refuseDeletion(knex, 'audit_export', 'stays', 'true');
}
