/** Adds changes of many instances, one after the other in the background. */
import type { Knex } from 'knex';
import { isolateTenant, keepIdentity } from '../row-level-security.ts';

export async function workflowBatches(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE workflow_batch (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      action text NOT NULL CHECK (action IN ('cancel', 'migrate', 'retry')),
      filter jsonb NOT NULL,
      definition_id uuid,
      mappings jsonb NOT NULL,
      status text NOT NULL CHECK (status IN ('running', 'completed')),
      total integer NOT NULL,
      done integer NOT NULL,
      refused integer NOT NULL,
      -- Instances are changed in the order of their ids, up to the newest at the start; this one was changed last.
      last_instance_id uuid,
      until_instance_id uuid,
      created_by jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL,
      ended_at timestamptz(3),
      version integer NOT NULL DEFAULT 1,
      updated_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, id)
    )`);
  await knex.raw(`
    CREATE UNIQUE INDEX workflow_batch_running ON workflow_batch (tenant_id, environment) WHERE status = 'running'`);
  await isolateTenant(knex, 'workflow_batch', { app: 'SELECT, DELETE' });
  await keepIdentity(knex, 'workflow_batch');
}
