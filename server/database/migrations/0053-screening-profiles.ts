import type { Knex } from 'knex';

/**
 * By which lines a screening was told what is a hit, and the number that the rules of screening had then. What was
 * screened before has neither: one threshold of its criteria stood for all lines.
 */
export async function screeningProfiles(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE tenant_settings ADD COLUMN profile_version integer NOT NULL DEFAULT 1');
  await knex.raw(
    `ALTER TABLE screening ADD COLUMN profile_version integer, ADD COLUMN lines jsonb, ADD
      CHECK ((profile_version IS NULL) = (lines IS NULL))`,
  );
}
