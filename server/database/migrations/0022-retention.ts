import type { Knex } from 'knex';
import { roles } from '../roles.ts';

/**
 * What was live for good can now go, in these ways and no other: events that are old and that no reader can reach any
 * more, what is left of a recovery after its last event, the directory's pages when they are old, and the payloads of a
 * recovery whose persons ask for it. The database itself holds the service to them.
 */
export async function retention(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE fr_record ADD COLUMN erased_at timestamptz(3)');
  await knex.raw(
    'CREATE INDEX fr_record_erased ON fr_record (tenant_id, env, funds_recovery_id) WHERE erased_at IS NOT NULL',
  );
  await knex.raw('CREATE INDEX IF NOT EXISTS fr_event_recovery ON fr_event (tenant_id, env, funds_recovery_id, seq)');
  await knex.raw('CREATE INDEX dict_inbox_received ON dict_inbox (tenant_id, env, received_at)');
  await allowErasure(knex);
  await allowPurge(knex);
}

async function allowErasure(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION refuse_all_but_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'what came from the directory into % is erased or left as it is', TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
    END $$`);
  for (const [table, column] of [
    ['fr_event', 'raw_payload'],
    ['dict_inbox', 'xml'],
  ] as const) {
    await knex.raw(`GRANT UPDATE (${column}) ON ${table} TO ${roles.app}`);
    await knex.raw(`
      CREATE TRIGGER erasure_only BEFORE UPDATE OF ${column} ON ${table} FOR EACH ROW WHEN (NEW.${column} IS NOT NULL)
        EXECUTE FUNCTION refuse_all_but_erasure()`);
  }
}

async function allowPurge(knex: Knex): Promise<void> {
  const old = `now() - interval '400 days'`;
  const removable = {
    fr_event:
      `OLD.received_at < ${old} AND OLD.seq <= (SELECT floor_seq FROM fr_feed f WHERE f.tenant_id = OLD.tenant_id ` +
      'AND f.env = OLD.env)',
    dict_inbox: `OLD.received_at < ${old}`,
    fr_recovery: withoutEvents,
    fr_record: withoutEvents,
  };
  for (const [table, condition] of Object.entries(removable)) {
    await knex.raw(`
      CREATE FUNCTION refuse_early_purge_of_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NOT coalesce((${condition}), false) THEN
          RAISE EXCEPTION 'live rows of ${table} are deleted when their time is over'
            USING ERRCODE = 'insufficient_privilege';
        END IF;
        RETURN OLD;
      END $$`);
    await knex.raw(`DROP TRIGGER sandbox_only ON ${table}`);
    await knex.raw(`
      CREATE TRIGGER sandbox_or_over BEFORE DELETE ON ${table} FOR EACH ROW WHEN (OLD.env = 'live')
        EXECUTE FUNCTION refuse_early_purge_of_${table}()`);
  }
}

/** It has ended, and retention has taken its last event. */
const withoutEvents = `OLD.status IN ('COMPLETED', 'CANCELLED') AND NOT EXISTS (
  SELECT FROM fr_event e WHERE e.tenant_id = OLD.tenant_id AND e.env = OLD.env
    AND e.funds_recovery_id = OLD.funds_recovery_id)`;
