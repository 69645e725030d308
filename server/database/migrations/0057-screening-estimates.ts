import type { Knex } from 'knex';
import { grant, refuseUpdate } from '../row-level-security.ts';

/**
 * What each line finds on a set of lists, by invented names and the aliases of the lists. Reference data, like the
 * lists: every request reads it, and only the platform writes it.
 */
export async function screeningEstimates(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE screening_estimate (
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      -- Names the versions of the lists, the algorithm and the way of estimating.
      key text NOT NULL,
      algorithm_version text NOT NULL,
      lists jsonb NOT NULL,
      counts jsonb NOT NULL,
      computed_at timestamptz(3) NOT NULL,
      PRIMARY KEY (environment, key)
    )`);
  await grant(knex, 'screening_estimate', { app: 'SELECT', platform: 'SELECT, DELETE' });
  await refuseUpdate(knex, 'screening_estimate', 'never_changes', 'true');
}
