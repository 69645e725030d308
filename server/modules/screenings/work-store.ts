import { sql, statement } from '../../database/index.ts';
import { workPage, type WorkParameters } from '../../tasks/work-store.ts';
import type { WorkRow } from '../../tasks/work.ts';

/** Hits have no due date of their own, so they come last, in the order of their ids. */
export const listOpenHits = statement<WorkParameters, WorkRow>(
  'work.hits',
  (p) => sql`
  SELECT h.id, h.screening_id AS "parentId", s.application_id AS "applicationId", NULL::uuid AS "businessId",
    h.category AS reason,
    NULL::text AS queue, NULL::timestamptz AS "dueAt", s.created_at AS "createdAt"
  FROM screening_hit h JOIN screening s ON s.tenant_id = h.tenant_id AND s.id = h.screening_id
  WHERE h.tenant_id = ${p.tenantId} AND h.environment = ${p.environment} AND h.status IN ('open', 'inconclusive')
    AND NOT EXISTS (SELECT FROM screening n WHERE n.tenant_id = s.tenant_id AND n.subject_id = s.subject_id
      AND n.sequence > s.sequence)
    AND NOT EXISTS (SELECT FROM application a WHERE a.tenant_id = s.tenant_id AND a.id = s.application_id
      AND a.erased_at IS NOT NULL)
    AND ${workPage(p, sql`'infinity'::timestamptz`, sql`h.id`)}`,
);
