import type { Knex } from 'knex';
import { anyChanges, refuseUpdate } from '../row-level-security.ts';

/** The risk of businesses is assessed and overridden, too: a row is about one application or one business. */
export async function riskOfBusinesses(knex: Knex): Promise<void> {
  for (const table of ['risk_assessment', 'risk_override']) {
    await knex.raw(`
      ALTER TABLE ${table} ALTER COLUMN application_id DROP NOT NULL, ADD COLUMN business_id uuid,
        ADD CONSTRAINT ${table}_subject CHECK (num_nonnulls(application_id, business_id) = 1),
        ADD FOREIGN KEY (tenant_id, business_id) REFERENCES business (tenant_id, id) ON DELETE CASCADE`);
    await refuseUpdate(knex, table, 'subject_stays', anyChanges(['application_id', 'business_id']));
  }
  await knex.raw(`
    CREATE UNIQUE INDEX risk_assessment_of_business ON risk_assessment (tenant_id, business_id)
      WHERE superseded_by_id IS NULL AND business_id IS NOT NULL;
    CREATE INDEX risk_assessment_by_business ON risk_assessment (tenant_id, business_id, created_at, id)
      WHERE business_id IS NOT NULL;
    CREATE UNIQUE INDEX risk_override_of_business ON risk_override (tenant_id, business_id)
      WHERE ended_at IS NULL AND business_id IS NOT NULL;
    CREATE INDEX risk_override_by_business ON risk_override (tenant_id, business_id) WHERE business_id IS NOT NULL`);
}
