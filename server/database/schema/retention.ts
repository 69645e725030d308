/**
 * Part of the first migration: rules by which data from the directory may be deleted. Called by index.ts of this folder
 * when a new database is created; the areas of recoveries use its helpers. Without them a mistake in a job could
 * destroy evidence.
 */
import type { Knex } from 'knex';

/**
 * Rules about deleting what came from the directory. Live rows go in these ways and no other: old events that no reader
 * can reach any more, what is left of a recovery after its last event, old pages of the directory, and the payloads of
 * a recovery whose persons ask for it. The database itself holds the service to them.
 */
export async function retention(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION refuse_all_but_erasure() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, public, pg_temp AS $$
    BEGIN
      RAISE EXCEPTION 'what came from the directory into % is erased or left as it is', TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
    END $$`);
}

/** Condition of a recovery that has ended and whose last event was deleted. */
export const HAS_NO_EVENTS = `OLD.status IN ('COMPLETED', 'CANCELLED') AND NOT EXISTS (
  SELECT FROM fr_event e WHERE e.tenant_id = OLD.tenant_id AND e.env = OLD.env
    AND e.funds_recovery_id = OLD.funds_recovery_id)`;

/** Condition of a row that is older than everything that the service keeps. */
export const IS_OLD = `OLD.received_at < now() - interval '400 days'`;

/** Lets the update of a column only empty it. */
export async function allowOnlyErasure(knex: Knex, table: string, column: string): Promise<void> {
  await knex.raw(`
    CREATE TRIGGER erasure_only BEFORE UPDATE OF ${column} ON ${table} FOR EACH ROW WHEN (NEW.${column} IS NOT NULL)
      EXECUTE FUNCTION refuse_all_but_erasure()`);
}

/** Lets live rows of a table be deleted only if they fulfil the condition. */
export async function allowOnlyLatePurge(knex: Knex, table: string, condition: string): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION refuse_early_purge_of_${table}() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, public, pg_temp AS $$
    BEGIN
      IF NOT coalesce((${condition}), false) THEN
        RAISE EXCEPTION 'live rows of ${table} are deleted when their time is over'
          USING ERRCODE = 'insufficient_privilege';
      END IF;
      RETURN OLD;
    END $$;
    CREATE TRIGGER sandbox_or_over BEFORE DELETE ON ${table} FOR EACH ROW WHEN (OLD.env = 'live')
      EXECUTE FUNCTION refuse_early_purge_of_${table}()`);
}
