/**
 * Migration that gives every tenant a second audit log. Run once for each database by migrate.ts, in the order of the
 * numbers. It must never be edited once it is released, because databases have recorded it as done.
 */
import type { Knex } from 'knex';
import { isolateChain } from '../row-level-security.ts';

/**
 * Every tenant has a second audit log, of its reports to the authorities. Both are rows of the same tables, and a
 * transaction sees those of one log. The key of each table has the log in it, so that both are numbered without gaps.
 */
export async function sealedAuditLog(knex: Knex): Promise<void> {
  await isolateChain(knex, 'audit_head', { creates: true });
  for (const table of ['audit_event', 'audit_node', 'audit_checkpoint']) await isolateChain(knex, table);
  await knex.raw(`
    ALTER TABLE audit_head DROP CONSTRAINT audit_head_pkey, ADD PRIMARY KEY (tenant_id, chain);
    ALTER TABLE audit_event DROP CONSTRAINT audit_event_pkey, ADD PRIMARY KEY (tenant_id, chain, sequence);
    ALTER TABLE audit_node DROP CONSTRAINT audit_node_pkey, ADD PRIMARY KEY (tenant_id, chain, level, index);
    ALTER TABLE audit_checkpoint DROP CONSTRAINT audit_checkpoint_pkey, ADD PRIMARY KEY (tenant_id, chain, tree_size)`);
  // The owner of the tables reads and writes no row while security is forced on the owner as well.
  await knex.raw(`
    ALTER TABLE audit_head NO FORCE ROW LEVEL SECURITY;
    INSERT INTO audit_head (tenant_id, chain, prev_hash, hash)
      SELECT tenant_id, 'sealed', genesis, genesis FROM audit_head,
        LATERAL (SELECT sha256(convert_to(tenant_id || ' sealed', 'UTF8'))) AS first (genesis);
    ALTER TABLE audit_head FORCE ROW LEVEL SECURITY`);
  await knex.raw(`
    DROP TRIGGER one_step_forward ON audit_head;
    CREATE TRIGGER one_step_forward BEFORE UPDATE ON audit_head FOR EACH ROW
      WHEN (NEW.tenant_id <> OLD.tenant_id OR NEW.chain <> OLD.chain OR NEW.sequence <> OLD.sequence + 1
        OR NEW.prev_hash <> OLD.hash)
      EXECUTE FUNCTION refuse_rewriting();
    CREATE OR REPLACE FUNCTION continue_checkpoints() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, public, pg_temp AS $$
    DECLARE
      newest record;
    BEGIN
      SELECT tree_size, hash INTO newest FROM audit_checkpoint WHERE tenant_id = NEW.tenant_id AND chain = NEW.chain
        ORDER BY tree_size DESC LIMIT 1;
      IF NEW.tree_size <= newest.tree_size OR NEW.previous_hash IS DISTINCT FROM newest.hash THEN
        RAISE EXCEPTION 'a checkpoint of % events does not continue the one of %', NEW.tree_size, newest.tree_size
          USING ERRCODE = 'insufficient_privilege';
      END IF;
      RETURN NEW;
    END $$`);
}
