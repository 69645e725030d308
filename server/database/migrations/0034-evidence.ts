import type { Knex } from 'knex';

/**
 * The policy that decisions follow is evidence, so it has a number of its own, which a change of
 * other settings leaves alone.
 */
export async function evidence(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE tenant_settings ADD COLUMN policy_version integer NOT NULL DEFAULT 1');
}
