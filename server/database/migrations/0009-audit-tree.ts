import type { Knex } from 'knex';
import { allowPlatform, isolateTenant } from './row-level-security.ts';

/**
 * The Merkle tree over each audit chain: its interior nodes, so that a proof reads a few of them and no leaves, and the
 * signed checkpoints. Both only grow. And the indexes of the filters of the audit log.
 */
export async function auditTree(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE audit_node (
      tenant_id uuid NOT NULL,
      level smallint NOT NULL CHECK (level > 0),
      index bigint NOT NULL CHECK (index >= 0),
      hash bytea NOT NULL CHECK (octet_length(hash) = 32),
      PRIMARY KEY (tenant_id, level, index)
    )`);
  await isolateTenant(knex, 'audit_node', { app: 'SELECT', platform: 'SELECT, INSERT' });

  await knex.raw(`
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
    )`);
  await knex.raw('CREATE INDEX audit_checkpoint_by_time ON audit_checkpoint (tenant_id, signed_at)');
  await isolateTenant(knex, 'audit_checkpoint', { app: 'SELECT', platform: 'SELECT, INSERT' });

  for (const table of ['audit_node', 'audit_checkpoint']) {
    await knex.raw(`
      CREATE TRIGGER only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON ${table}
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting()`);
  }
  await knex.raw(`
    CREATE FUNCTION continue_checkpoints() RETURNS trigger LANGUAGE plpgsql AS $$
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
    END $$`);
  await knex.raw(
    'CREATE TRIGGER continues BEFORE INSERT ON audit_checkpoint FOR EACH ROW EXECUTE FUNCTION continue_checkpoints()',
  );

  // Which tenants are due is asked of all of them at once.
  await allowPlatform(knex, 'audit_head', 'checkpointing', 'SELECT');
  await allowPlatform(knex, 'audit_checkpoint', 'checkpointing', 'SELECT');

  // What is hashed follows from the columns: written twice, it made every change of every tenant
  // wait for twice the bytes.
  await knex.raw('ALTER TABLE audit_event DROP COLUMN canonical');

  // Below row-level security only leakproof conditions reach an index, and looking into JSON is not one of them.
  await knex.raw(`
    ALTER TABLE audit_event
      ADD COLUMN actor_type text NOT NULL GENERATED ALWAYS AS (actor ->> 'type') STORED,
      ADD COLUMN actor_id text GENERATED ALWAYS AS (actor ->> 'id') STORED`);
  await knex.raw('CREATE INDEX audit_event_by_time ON audit_event (tenant_id, occurred_at)');
  // Compares bytes, whatever the collation of the database, so that a prefix is a range.
  await knex.raw('CREATE INDEX audit_event_by_action ON audit_event (tenant_id, action text_pattern_ops, sequence)');
  await knex.raw('CREATE INDEX audit_event_by_resource ON audit_event (tenant_id, resource_id, sequence)');
  await knex.raw('CREATE INDEX audit_event_by_actor ON audit_event (tenant_id, actor_id, sequence)');
  await knex.raw('CREATE INDEX audit_event_by_resource_type ON audit_event (tenant_id, resource_type, sequence)');
  // Of what is rare only: the rest is found soon enough by walking back, and costs no writer anything.
  await knex.raw(
    `CREATE INDEX audit_event_by_actor_type ON audit_event (tenant_id, actor_type, sequence)
      WHERE actor_type IN ('system', 'platform_user')`,
  );
  await knex.raw(`CREATE INDEX audit_event_by_refusal ON audit_event (tenant_id, sequence) WHERE outcome <> 'success'`);
}
