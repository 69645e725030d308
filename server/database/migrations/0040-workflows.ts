/** Adds the tables of workflows. Rows of tasks, timers and commands go with their instance. */
import type { Knex } from 'knex';
import { isolateTenant, keepIdentity } from '../row-level-security.ts';

/** Process definitions, their instances, and what waits in them. */
export async function workflows(knex: Knex): Promise<void> {
  await models(knex);
  await instances(knex);
  await waiting(knex);
}

/** The file of each definition and what was compiled from it. */
async function models(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE workflow_model (
      tenant_id uuid NOT NULL,
      definition_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      file bytea NOT NULL,
      program jsonb NOT NULL,
      findings jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, definition_id),
      FOREIGN KEY (tenant_id, definition_id) REFERENCES definition (tenant_id, id) ON DELETE CASCADE
    )`);
  await isolateTenant(knex, 'workflow_model', { app: 'SELECT' });
  await keepIdentity(knex, 'workflow_model');
}

async function instances(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE workflow_instance (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      definition_id uuid NOT NULL,
      definition_key text NOT NULL,
      definition_number integer NOT NULL,
      business_key text,
      application_id uuid,
      status text NOT NULL CHECK (status IN ('active', 'completed', 'cancelled', 'erased')),
      end_event text,
      incident_count integer NOT NULL CHECK (incident_count >= 0),
      state jsonb,
      variables jsonb NOT NULL,
      started_by jsonb NOT NULL,
      started_at timestamptz(3) NOT NULL,
      ended_at timestamptz(3),
      version integer NOT NULL DEFAULT 1,
      updated_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, definition_id) REFERENCES definition (tenant_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, application_id) REFERENCES application (tenant_id, id) ON DELETE CASCADE
    )`);
  await knex.raw(`
    CREATE UNIQUE INDEX workflow_instance_business_key
      ON workflow_instance (tenant_id, environment, definition_key, business_key) WHERE status = 'active'`);
  await knex.raw('CREATE INDEX workflow_instance_listed ON workflow_instance (tenant_id, environment, started_at, id)');
  await knex.raw('CREATE INDEX workflow_instance_by_definition ON workflow_instance (tenant_id, definition_id)');
  await knex.raw('CREATE INDEX workflow_instance_by_application ON workflow_instance (tenant_id, application_id)');
  await isolateTenant(knex, 'workflow_instance', { app: 'SELECT, DELETE' });
  await keepIdentity(knex, 'workflow_instance');
}

async function waiting(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE workflow_task (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      instance_id uuid NOT NULL,
      application_id uuid,
      execution integer NOT NULL,
      definition_key text NOT NULL,
      element_id text NOT NULL,
      name text,
      status text NOT NULL CHECK (status IN ('created', 'claimed', 'completed', 'cancelled')),
      assignee_id uuid,
      candidate_roles text[] NOT NULL,
      form text,
      due_at timestamptz(3),
      completed_by jsonb,
      created_at timestamptz(3) NOT NULL,
      completed_at timestamptz(3),
      version integer NOT NULL DEFAULT 1,
      updated_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, instance_id, execution),
      FOREIGN KEY (tenant_id, instance_id) REFERENCES workflow_instance (tenant_id, id) ON DELETE CASCADE
    )`);
  await knex.raw('CREATE INDEX workflow_task_listed ON workflow_task (tenant_id, environment, created_at, id)');
  await isolateTenant(knex, 'workflow_task', { app: 'SELECT' });
  await keepIdentity(knex, 'workflow_task');
  await knex.raw(`
    CREATE TABLE workflow_timer (
      tenant_id uuid NOT NULL,
      instance_id uuid NOT NULL,
      subscription integer NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      due_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, instance_id, subscription),
      FOREIGN KEY (tenant_id, instance_id) REFERENCES workflow_instance (tenant_id, id) ON DELETE CASCADE
    )`);
  await knex.raw('CREATE INDEX workflow_timer_due ON workflow_timer (tenant_id, environment, due_at)');
  await isolateTenant(knex, 'workflow_timer', { app: 'SELECT, DELETE' });
  await keepIdentity(knex, 'workflow_timer');
  await knex.raw(`
    CREATE TABLE workflow_command (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      instance_id uuid NOT NULL,
      application_id uuid,
      command jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, instance_id) REFERENCES workflow_instance (tenant_id, id) ON DELETE CASCADE
    )`);
  await knex.raw('CREATE INDEX workflow_command_by_instance ON workflow_command (tenant_id, instance_id, id)');
  await isolateTenant(knex, 'workflow_command', { app: 'SELECT, DELETE' });
  await keepIdentity(knex, 'workflow_command');
}
