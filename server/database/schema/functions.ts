/**
 * Part of the first migration: trigger functions that several areas share. Called first by index.ts of this folder.
 * Every function sets its search path, because otherwise a table of the same name could take the place of ours.
 */
import type { Knex } from 'knex';

/**
 * Functions of the triggers of several areas. A function runs with the search path of whoever caused it, so each has
 * its own: with a table of the same name in front of ours it would read that one.
 */
export async function functions(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Only triggers call functions, so no role may.
    ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;

    -- The trigger that refuses a change says by its name why (refuseUpdate, refuseDeletion).
    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, public, pg_temp AS $$
    BEGIN
      RAISE EXCEPTION '% of % is refused: %', TG_OP, TG_TABLE_NAME, TG_NAME USING ERRCODE = 'insufficient_privilege';
    END $$;

    CREATE FUNCTION refuse_live_deletion() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, public, pg_temp AS $$
    BEGIN
      RAISE EXCEPTION 'live rows of % are never deleted', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
    END $$;

    -- Tells all processes of a change of what they remember, with the commit. The message holds a kind and ids.
    CREATE FUNCTION announce_change() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, public, pg_temp AS $$
    DECLARE
      changed jsonb;
    BEGIN
      IF TG_OP = 'INSERT' THEN changed := to_jsonb(NEW); ELSE changed := to_jsonb(OLD); END IF;
      PERFORM pg_notify('compliance_changes',
        concat_ws(' ', TG_ARGV[0], changed ->> TG_ARGV[1], changed ->> TG_ARGV[2]));
      RETURN NULL;
    END $$`);
}

/**
 * Announces updates of a table, so that no statement can forget it (server/database/change-listener.ts). `message` is
 * the kind and the names of the columns with the ids. Columns that nobody remembers and that change all the time are
 * excepted, because messages are committed one after the other.
 */
export async function announceUpdates(
  knex: Knex,
  table: string,
  message: readonly string[],
  except: readonly string[] = [],
): Promise<void> {
  const remembered = (row: string): string => `to_jsonb(${row}) - '{${except.join(',')}}'::text[]`;
  await knex.raw(`
    CREATE TRIGGER announces_change AFTER UPDATE ON ${table} FOR EACH ROW
      WHEN (${remembered('OLD')} IS DISTINCT FROM ${remembered('NEW')})
      EXECUTE FUNCTION announce_change(${message.map((word) => `'${word}'`).join(', ')})`);
}
