import type { Knex } from 'knex';
import { roles } from '../roles.ts';
import { keepIdentity } from './row-level-security.ts';

/**
 * Watch lists are reference data: they belong to no tenant, every request may read them, and only the importer, under
 * the platform role, writes them. A version that was imported never changes; an entity has a row for each state that it
 * was in, with the versions between which it was so.
 */
export async function watchLists(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE watch_list_version (
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      list_id text NOT NULL,
      sequence integer NOT NULL CHECK (sequence > 0),
      version text NOT NULL,
      restores integer,
      format text NOT NULL,
      published_on date,
      sha256 text NOT NULL,
      size_bytes bigint NOT NULL,
      entry_count integer NOT NULL,
      added integer NOT NULL,
      changed integer NOT NULL,
      match_changed integer NOT NULL,
      removed integer NOT NULL,
      ingested_at timestamptz(3) NOT NULL,
      checked_at timestamptz(3) NOT NULL,
      ingested_by jsonb NOT NULL,
      PRIMARY KEY (environment, list_id, sequence),
      FOREIGN KEY (environment, list_id, restores) REFERENCES watch_list_version (environment, list_id, sequence)
    )`);
  await knex.raw(
    `CREATE UNIQUE INDEX watch_list_version_once ON watch_list_version (environment, list_id, version)
      WHERE restores IS NULL`,
  );
  await knex.raw(`
    CREATE TABLE watch_list_file (
      environment text NOT NULL,
      list_id text NOT NULL,
      sequence integer NOT NULL,
      role text NOT NULL,
      part integer NOT NULL,
      bytes bytea NOT NULL,
      PRIMARY KEY (environment, list_id, sequence, role, part),
      FOREIGN KEY (environment, list_id, sequence) REFERENCES watch_list_version (environment, list_id, sequence)
    )`);
  await knex.raw(`
    CREATE TABLE watch_list_entity (
      environment text NOT NULL,
      list_id text NOT NULL,
      key text NOT NULL,
      from_sequence integer NOT NULL,
      to_sequence integer CHECK (to_sequence > from_sequence),
      content_hash bytea NOT NULL,
      match_hash bytea NOT NULL,
      document jsonb NOT NULL,
      PRIMARY KEY (environment, list_id, key, from_sequence)
    )`);
  await knex.raw(
    `CREATE UNIQUE INDEX watch_list_entity_now ON watch_list_entity (environment, list_id, key)
      WHERE to_sequence IS NULL`,
  );
  await knex.raw(
    `CREATE INDEX watch_list_entity_ended ON watch_list_entity (environment, list_id, to_sequence)
      WHERE to_sequence IS NOT NULL`,
  );
  for (const table of ['watch_list_version', 'watch_list_file', 'watch_list_entity']) {
    await knex.raw(`GRANT SELECT ON ${table} TO ${roles.app}, ${roles.platform}`);
    await keepIdentity(knex, table);
  }
}
