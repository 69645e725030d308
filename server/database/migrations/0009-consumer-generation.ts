import type { Knex } from 'knex';

/** A position belongs to one generation of its feed: what was acknowledged before a reset says nothing about what came after it. */
export async function consumerGeneration(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE fr_consumer ADD COLUMN generation integer NOT NULL DEFAULT 1');
}
