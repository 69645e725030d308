import type { Knex } from 'knex';

/**
 * Adds to a document which items of a request for information it answers. It is written with the
 * document and never changes.
 */
export async function documentsThatAnswer(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE document ADD COLUMN answers jsonb');
}
