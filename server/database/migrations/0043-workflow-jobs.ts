/** Adds the work that processes need from outside, the history of instances, and the drawings of definitions. */
import type { Knex } from 'knex';
import { isolateTenant, keepIdentity } from '../row-level-security.ts';

export async function workflowJobs(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE workflow_job (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      instance_id uuid NOT NULL,
      application_id uuid,
      execution integer NOT NULL,
      definition_key text NOT NULL,
      element_id text NOT NULL,
      type text NOT NULL,
      performer text NOT NULL CHECK (performer IN ('worker', 'service')),
      status text NOT NULL CHECK (status IN ('waiting', 'locked', 'completed', 'failed', 'cancelled')),
      attempts integer NOT NULL,
      retries integer NOT NULL,
      retries_left integer NOT NULL CHECK (retries_left >= 0),
      worker text,
      locked_until timestamptz(3),
      available_at timestamptz(3) NOT NULL,
      created_at timestamptz(3) NOT NULL,
      version integer NOT NULL DEFAULT 1,
      updated_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, instance_id, execution),
      FOREIGN KEY (tenant_id, instance_id) REFERENCES workflow_instance (tenant_id, id) ON DELETE CASCADE
    )`);
  await knex.raw(`
    CREATE INDEX workflow_job_available ON workflow_job (tenant_id, environment, available_at, id)
      WHERE performer = 'worker' AND status IN ('waiting', 'locked')`);
  await isolateTenant(knex, 'workflow_job', { app: 'SELECT' });
  await keepIdentity(knex, 'workflow_job');
  await announceWork(knex);
  await knex.raw(`
    CREATE TABLE workflow_history (
      tenant_id uuid NOT NULL,
      instance_id uuid NOT NULL,
      number integer NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      application_id uuid,
      event text NOT NULL,
      element_id text NOT NULL,
      execution integer NOT NULL,
      happened_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, instance_id, number),
      FOREIGN KEY (tenant_id, instance_id) REFERENCES workflow_instance (tenant_id, id) ON DELETE CASCADE
    )`);
  await isolateTenant(knex, 'workflow_history', { app: 'SELECT' });
  await keepIdentity(knex, 'workflow_history');
  await knex.raw('ALTER TABLE workflow_model ADD COLUMN drawing jsonb NOT NULL');
}

/** Tells workers that wait in any process of work for them, with the commit that makes it. */
async function announceWork(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TRIGGER announces_work AFTER INSERT ON workflow_job FOR EACH ROW WHEN (NEW.performer = 'worker')
      EXECUTE FUNCTION announce_change('work', 'tenant_id')`);
  await knex.raw(`
    CREATE TRIGGER announces_work_again AFTER UPDATE ON workflow_job FOR EACH ROW
      WHEN (NEW.performer = 'worker' AND NEW.status = 'waiting' AND OLD.status IS DISTINCT FROM NEW.status)
      EXECUTE FUNCTION announce_change('work', 'tenant_id')`);
}
