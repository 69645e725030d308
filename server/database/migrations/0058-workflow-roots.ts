/** Adds to instances which one has led to them, so that what one leads to can be counted and bounded. */
import type { Knex } from 'knex';
import { anyChanges, refuseUpdate } from '../row-level-security.ts';

export async function workflowRoots(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE workflow_instance ADD COLUMN root_instance_id uuid');
  // What was begun by a message before now counts as a root, because nothing says which instance has sent that.
  await knex.raw(`
    WITH RECURSIVE led (tenant_id, id, root) AS (
      SELECT tenant_id, id, id FROM workflow_instance WHERE parent_instance_id IS NULL
      UNION ALL
      SELECT i.tenant_id, i.id, led.root
        FROM led JOIN workflow_instance i ON i.tenant_id = led.tenant_id AND i.parent_instance_id = led.id
    )
    UPDATE workflow_instance i SET root_instance_id = led.root
      FROM led WHERE i.tenant_id = led.tenant_id AND i.id = led.id AND i.parent_instance_id IS NOT NULL`);
  await knex.raw(`
    CREATE INDEX workflow_instance_by_root ON workflow_instance (tenant_id, root_instance_id)
      WHERE root_instance_id IS NOT NULL`);
  await refuseUpdate(knex, 'workflow_instance', 'root_stays', anyChanges(['root_instance_id']));
}
