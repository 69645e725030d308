import { sql, statement } from '../../database/index.ts';
import { reviewable, workPage, type WorkParameters } from '../../tasks/work-store.ts';
import type { WorkRow } from '../../tasks/work.ts';

export const listActivationsToReview = statement<WorkParameters, WorkRow>(
  'work.activations',
  (p) => sql`
  SELECT a.id, a.definition_id AS "parentId", NULL::uuid AS "applicationId", NULL::uuid AS "businessId",
    d.kind AS reason, NULL::text AS queue,
    NULL::timestamptz AS "dueAt", a.created_at AS "createdAt"
  FROM second_review v JOIN definition_activation a ON a.tenant_id = v.tenant_id AND a.id = v.subject_id
    JOIN definition d ON d.tenant_id = a.tenant_id AND d.id = a.definition_id
  WHERE ${reviewable(p, 'activation')} AND ${workPage(p, sql`'infinity'::timestamptz`, sql`a.id`)}`,
);
