/** The statement that finds the tasks that wait for a person. */
import { sql, statement } from '../../database/index.ts';
import { workPage, type WorkParameters } from '../../tasks/work-store.ts';
import type { WorkRow } from '../../tasks/work.ts';

export const listWaitingTasks = statement<WorkParameters & { role: string }, WorkRow>(
  'work.workflowTasks',
  (p) => sql`
  SELECT t.id, t.instance_id AS "parentId", t.application_id AS "applicationId", t.business_id AS "businessId",
    t.definition_key AS reason,
    NULL::text AS queue, t.due_at AS "dueAt", t.created_at AS "createdAt"
  FROM workflow_task t JOIN workflow_instance i ON i.tenant_id = t.tenant_id AND i.id = t.instance_id
  WHERE t.tenant_id = ${p.tenantId} AND t.environment = ${p.environment} AND t.status IN ('created', 'claimed')
    AND i.status = 'active' AND (t.assignee_id IS NULL OR t.assignee_id = ${p.userId}::uuid)
    AND (t.candidate_roles = '{}' OR ${p.role}::text = ANY (t.candidate_roles))
    AND ${workPage(p, sql`coalesce(t.due_at, 'infinity')`, sql`t.id`)}`,
);
