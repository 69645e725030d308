import type { Knex } from 'knex';
import { anyChanges, refuseUpdate } from '../row-level-security.ts';

/**
 * A subscription and an alert are about one application or one business. A subscription of a business holds the states
 * that were last accepted, and its alerts name the states before and after.
 */
export async function monitoringOfBusinesses(knex: Knex): Promise<void> {
  for (const table of ['monitoring_subscription', 'monitoring_alert']) {
    await knex.raw(`
      ALTER TABLE ${table} ALTER COLUMN application_id DROP NOT NULL, ADD COLUMN business_id uuid,
        ADD CONSTRAINT ${table}_subject CHECK (num_nonnulls(application_id, business_id) = 1);
      CREATE INDEX ${table}_by_business ON ${table} (tenant_id, business_id, id) WHERE business_id IS NOT NULL`);
    await refuseUpdate(knex, table, 'subject_stays', anyChanges(['application_id', 'business_id']));
  }
  await knex.raw(`
    ALTER TABLE monitoring_subscription ADD COLUMN accepted jsonb,
      ADD FOREIGN KEY (tenant_id, business_id) REFERENCES business (tenant_id, id) ON DELETE CASCADE;
    CREATE UNIQUE INDEX monitoring_subscription_of_business ON monitoring_subscription (tenant_id, business_id)
      WHERE status <> 'ended' AND business_id IS NOT NULL;
    ALTER TABLE monitoring_alert ADD COLUMN power_id uuid, ADD COLUMN state_before text, ADD COLUMN state_after text,
      ADD CONSTRAINT monitoring_alert_change CHECK (num_nonnulls(state_before, state_after) <> 1);
    CREATE UNIQUE INDEX monitoring_alert_of_business ON monitoring_alert (tenant_id, business_id, dedupe_key)`);
  await refuseUpdate(knex, 'monitoring_alert', 'change_stays', anyChanges(['power_id', 'state_before', 'state_after']));
}
