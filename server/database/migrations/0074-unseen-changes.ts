import type { Knex } from 'knex';

/**
 * When somebody who sees persons masked last overwrote what the applicant is compared by. What was judged
 * before does not hold for it.
 */
export async function unseenChanges(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE application ADD COLUMN person_unseen_at timestamptz(3)');
}
