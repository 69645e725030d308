/** Adds the starts of active processes that wait for a message, a signal or a time, and what processes have sent. */
import type { Knex } from 'knex';
import { isolateTenant, keepIdentity } from '../row-level-security.ts';

export async function workflowStarts(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE workflow_start (
      tenant_id uuid NOT NULL,
      definition_id uuid NOT NULL,
      element_id text NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      kind text NOT NULL CHECK (kind IN ('message', 'signal', 'timer')),
      name text,
      due_at timestamptz(3),
      cycle text,
      times_left integer,
      PRIMARY KEY (tenant_id, definition_id, element_id),
      FOREIGN KEY (tenant_id, definition_id) REFERENCES definition (tenant_id, id) ON DELETE CASCADE
    )`);
  await knex.raw('CREATE INDEX workflow_start_named ON workflow_start (tenant_id, environment, kind, name)');
  await knex.raw('CREATE INDEX workflow_start_due ON workflow_start (tenant_id, environment, due_at)');
  await isolateTenant(knex, 'workflow_start', { app: 'SELECT, DELETE' });
  await keepIdentity(knex, 'workflow_start');
  await knex.raw(`
    CREATE TABLE workflow_sent (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      instance_id uuid NOT NULL,
      application_id uuid,
      kind text NOT NULL CHECK (kind IN ('message', 'signal')),
      name text NOT NULL,
      correlation_key text,
      variables jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, instance_id) REFERENCES workflow_instance (tenant_id, id) ON DELETE CASCADE
    )`);
  await knex.raw('CREATE INDEX workflow_sent_by_instance ON workflow_sent (tenant_id, instance_id)');
  await knex.raw('CREATE INDEX workflow_sent_by_application ON workflow_sent (tenant_id, application_id)');
  await isolateTenant(knex, 'workflow_sent', { app: 'SELECT, DELETE' });
  await keepIdentity(knex, 'workflow_sent');
}
