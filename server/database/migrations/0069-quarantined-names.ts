import type { Knex } from 'knex';

/**
 * Names of a version that could not be used and were left out of their entries: how many, and
 * which the first of them are.
 */
export async function quarantinedNames(knex: Knex): Promise<void> {
  await knex.raw(
    `ALTER TABLE watch_list_version ADD COLUMN quarantined_names integer NOT NULL DEFAULT 0,
      ADD COLUMN quarantine jsonb NOT NULL DEFAULT '[]'`,
  );
}
