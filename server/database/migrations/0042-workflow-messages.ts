/** Adds the index by which a message or a signal finds who waits for it. */
import type { Knex } from 'knex';
import { isolateTenant, keepIdentity } from '../row-level-security.ts';

export async function workflowMessages(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE workflow_awaited_message (
      tenant_id uuid NOT NULL,
      instance_id uuid NOT NULL,
      subscription integer NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      kind text NOT NULL CHECK (kind IN ('message', 'signal')),
      name text NOT NULL,
      correlation_key text,
      PRIMARY KEY (tenant_id, instance_id, subscription),
      FOREIGN KEY (tenant_id, instance_id) REFERENCES workflow_instance (tenant_id, id) ON DELETE CASCADE
    )`);
  await knex.raw(`
    CREATE INDEX workflow_awaited_message_found
      ON workflow_awaited_message (tenant_id, environment, kind, name, correlation_key)`);
  await isolateTenant(knex, 'workflow_awaited_message', { app: 'SELECT, DELETE' });
  await keepIdentity(knex, 'workflow_awaited_message');
}
