import type { Knex } from 'knex';
import { anyChanges, refuseUpdate } from '../row-level-security.ts';

/** A case, its notes and its resolutions are about one application or one business; a power expires once. */
export async function casesOfBusinesses(knex: Knex): Promise<void> {
  for (const table of ['review_case', 'case_note', 'case_resolution']) {
    await knex.raw(`
      ALTER TABLE ${table} ALTER COLUMN application_id DROP NOT NULL, ADD COLUMN business_id uuid,
        ADD CONSTRAINT ${table}_subject CHECK (num_nonnulls(application_id, business_id) = 1);
      CREATE INDEX ${table}_by_business ON ${table} (tenant_id, business_id, id) WHERE business_id IS NOT NULL`);
    await refuseUpdate(knex, table, 'subject_stays', anyChanges(['application_id', 'business_id']));
  }
  await knex.raw(`
    ALTER TABLE review_case ADD FOREIGN KEY (tenant_id, business_id) REFERENCES business (tenant_id, id)
      ON DELETE CASCADE;
    -- At most one open case for each business and type.
    CREATE UNIQUE INDEX review_case_open_of_business ON review_case (tenant_id, business_id, type)
      WHERE status <> 'resolved' AND business_id IS NOT NULL;
    -- When the service noticed that the last day of a power has passed.
    ALTER TABLE power ADD COLUMN expired_at timestamptz(3);
    CREATE INDEX power_to_expire ON power (tenant_id, environment, valid_until)
      WHERE status = 'active' AND valid_until IS NOT NULL AND expired_at IS NULL AND erased_at IS NULL`);
}
