import type { Knex } from 'knex';
import { refuseUpdate } from '../row-level-security.ts';

/**
 * Businesses have a revenue, by which the policy may demand a second person, and can be erased, once. The registration
 * of an erased business is free, because the company may come back; so is its reference, which the erasure empties.
 */
export async function erasureOfBusinesses(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE business ADD COLUMN erased_at timestamptz(3), ADD COLUMN monthly_revenue jsonb;
    DROP INDEX business_by_registration;
    CREATE UNIQUE INDEX business_by_registration
      ON business (tenant_id, environment, registration_number, registration) WHERE erased_at IS NULL`);
  for (const table of ['business', 'power'])
    await refuseUpdate(knex, table, 'erased_stays', 'OLD.erased_at IS NOT NULL');
}
