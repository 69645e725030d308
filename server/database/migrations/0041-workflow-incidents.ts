/** Adds incidents as records of their own, instances that are suspended, and an index for the tasks of a person. */
import type { Knex } from 'knex';
import { isolateTenant, keepIdentity } from '../row-level-security.ts';

export async function workflowIncidents(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE workflow_incident (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      instance_id uuid NOT NULL,
      application_id uuid,
      execution integer NOT NULL,
      definition_key text NOT NULL,
      element_id text NOT NULL,
      code text NOT NULL,
      message text NOT NULL,
      status text NOT NULL CHECK (status IN ('open', 'resolved', 'cancelled')),
      resolved_by jsonb,
      created_at timestamptz(3) NOT NULL,
      resolved_at timestamptz(3),
      version integer NOT NULL DEFAULT 1,
      updated_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, instance_id) REFERENCES workflow_instance (tenant_id, id) ON DELETE CASCADE
    )`);
  await knex.raw(`
    CREATE UNIQUE INDEX workflow_incident_open ON workflow_incident (tenant_id, instance_id, execution)
      WHERE status = 'open'`);
  await knex.raw('CREATE INDEX workflow_incident_by_instance ON workflow_incident (tenant_id, instance_id)');
  await knex.raw('CREATE INDEX workflow_incident_listed ON workflow_incident (tenant_id, environment, created_at, id)');
  await isolateTenant(knex, 'workflow_incident', { app: 'SELECT' });
  await keepIdentity(knex, 'workflow_incident');
  await knex.raw(`
    ALTER TABLE workflow_instance DROP CONSTRAINT workflow_instance_status_check,
      ADD CONSTRAINT workflow_instance_status_check
        CHECK (status IN ('active', 'suspended', 'completed', 'cancelled', 'erased'));
    DROP INDEX workflow_instance_business_key;
    CREATE UNIQUE INDEX workflow_instance_business_key
      ON workflow_instance (tenant_id, environment, definition_key, business_key)
      WHERE status IN ('active', 'suspended');
    CREATE INDEX workflow_task_waiting
      ON workflow_task (tenant_id, environment, (coalesce(due_at, 'infinity'::timestamptz)), id)
      WHERE status IN ('created', 'claimed')`);
}
