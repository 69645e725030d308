/** Adds to instances by which other instance they were called, so that its end returns to the caller. */
import type { Knex } from 'knex';

export async function workflowCalls(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE workflow_instance
      ADD COLUMN parent_instance_id uuid,
      ADD COLUMN parent_execution integer,
      ADD COLUMN depth integer NOT NULL,
      ADD FOREIGN KEY (tenant_id, parent_instance_id) REFERENCES workflow_instance (tenant_id, id) ON DELETE CASCADE`);
  await knex.raw(`
    CREATE INDEX workflow_instance_by_parent
      ON workflow_instance (tenant_id, parent_instance_id, parent_execution)`);
}
