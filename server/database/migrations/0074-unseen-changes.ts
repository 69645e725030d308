import type { Knex } from 'knex';
import { grantWritable } from './row-level-security.ts';

/** When somebody who sees persons masked last overwrote what the applicant is compared by. What was judged before does not hold for it. */
export async function unseenChanges(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE application ADD COLUMN person_unseen_at timestamptz(3)');
  await grantWritable(knex, 'application');
}
