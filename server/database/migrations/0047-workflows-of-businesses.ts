import type { Knex } from 'knex';
import { anyChanges, refuseUpdate } from '../row-level-security.ts';

const OF_INSTANCES = [
  'workflow_task',
  'workflow_command',
  'workflow_sent',
  'workflow_job',
  'workflow_incident',
  'workflow_history',
];

/**
 * Instances are about an application, about a business, or about neither, and so is everything that belongs to them.
 */
export async function workflowsOfBusinesses(knex: Knex): Promise<void> {
  for (const table of ['workflow_instance', ...OF_INSTANCES]) {
    await knex.raw(`
      ALTER TABLE ${table} ADD COLUMN business_id uuid,
        ADD CONSTRAINT ${table}_subject CHECK (num_nonnulls(application_id, business_id) <= 1);
      CREATE INDEX ${table}_by_business ON ${table} (tenant_id, business_id) WHERE business_id IS NOT NULL`);
    await refuseUpdate(knex, table, 'subject_stays', anyChanges(['application_id', 'business_id']));
  }
  await knex.raw(`
    ALTER TABLE workflow_instance ADD FOREIGN KEY (tenant_id, business_id) REFERENCES business (tenant_id, id)
      ON DELETE CASCADE`);
}
