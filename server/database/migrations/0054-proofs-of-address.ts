import type { Knex } from 'knex';

/** Stores what the documents of a verification prove: identity or address. Existing verifications prove identity. */
export async function proofsOfAddress(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE verification ADD COLUMN proves text NOT NULL DEFAULT 'identity'
      CHECK (proves IN ('identity', 'address'))`);
  await knex.raw('ALTER TABLE verification ALTER COLUMN proves DROP DEFAULT');
}
