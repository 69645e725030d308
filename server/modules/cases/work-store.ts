import { sql, statement } from '../../database/index.ts';
import { reviewable, workPage, type WorkParameters } from '../../tasks/work-store.ts';
import type { WorkRow } from '../../tasks/work.ts';

export const listOwnCases = statement<WorkParameters, WorkRow>(
  'work.cases',
  (p) => sql`
  SELECT c.id, NULL::uuid AS "parentId", c.application_id AS "applicationId", c.business_id AS "businessId",
    c.type AS reason, c.queue,
    c.due_at AS "dueAt", c.created_at AS "createdAt"
  FROM review_case c
  WHERE c.tenant_id = ${p.tenantId} AND c.environment = ${p.environment} AND c.assignee_id = ${p.userId}
    AND c.status = 'in_progress' AND ${workPage(p, sql`coalesce(c.due_at, 'infinity')`, sql`c.id`)}`,
);

export const listResolutionsToReview = statement<WorkParameters, WorkRow>(
  'work.resolutions',
  (p) => sql`
  SELECT r.id, r.case_id AS "parentId", r.application_id AS "applicationId", r.business_id AS "businessId",
    r.outcome AS reason, c.queue,
    c.due_at AS "dueAt", r.created_at AS "createdAt"
  FROM second_review v JOIN case_resolution r ON r.tenant_id = v.tenant_id AND r.id = v.subject_id
    JOIN review_case c ON c.tenant_id = r.tenant_id AND c.id = r.case_id
  WHERE ${reviewable(p, 'case_resolution')} AND c.erased_at IS NULL
    AND ${workPage(p, sql`coalesce(c.due_at, 'infinity')`, sql`r.id`)}`,
);
