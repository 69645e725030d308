import { sql, statement } from '../../database/index.ts';
import { reviewable, workPage, type WorkParameters } from '../../tasks/work-store.ts';
import type { WorkRow } from '../../tasks/work.ts';

export const listDecisionsToReview = statement<WorkParameters, WorkRow>(
  'work.decisions',
  (p) => sql`
  SELECT d.id, coalesce(d.application_id, d.business_id) AS "parentId", d.application_id AS "applicationId",
    d.business_id AS "businessId",
    d.outcome AS reason, NULL::text AS queue, NULL::timestamptz AS "dueAt", d.created_at AS "createdAt"
  FROM second_review v JOIN decision d ON d.tenant_id = v.tenant_id AND d.id = v.subject_id
  WHERE ${reviewable(p, 'decision')}
    AND NOT EXISTS (SELECT FROM case_resolution r WHERE r.tenant_id = d.tenant_id
      AND r.decision_id = d.id AND r.status = 'pending_review')
    AND ${workPage(p, sql`'infinity'::timestamptz`, sql`d.id`)}`,
);
