import type { Knex } from 'knex';

/** A verification of documents reads who somebody is, or where somebody lives; those of before read the former. */
export async function proofsOfAddress(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE verification ADD COLUMN proves text NOT NULL DEFAULT 'identity'
      CHECK (proves IN ('identity', 'address'))`);
  await knex.raw('ALTER TABLE verification ALTER COLUMN proves DROP DEFAULT');
}
