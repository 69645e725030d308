import type { Knex } from 'knex';
import { anyChanges, refuseUpdate } from '../row-level-security.ts';

/** A subject of a backtest or of a shadow run is one application or one business. */
export async function backtestsOfBusinesses(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE risk_compared ALTER COLUMN application_id DROP NOT NULL, ADD COLUMN business_id uuid,
      ADD CONSTRAINT risk_compared_subject CHECK (num_nonnulls(application_id, business_id) = 1),
      ADD FOREIGN KEY (tenant_id, business_id) REFERENCES business (tenant_id, id) ON DELETE CASCADE;
    CREATE UNIQUE INDEX risk_compared_of_business ON risk_compared (tenant_id, comparison_id, business_id);
    CREATE INDEX risk_compared_by_business ON risk_compared (tenant_id, business_id) WHERE business_id IS NOT NULL`);
  await refuseUpdate(knex, 'risk_compared', 'subject_stays', anyChanges(['application_id', 'business_id']));
}
