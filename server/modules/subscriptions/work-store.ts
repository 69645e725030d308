import { sql, statement } from '../../database/index.ts';
import { workPage, type WorkParameters } from '../../tasks/work-store.ts';
import type { WorkRow } from '../../tasks/work.ts';

export const listWaitingAlerts = statement<WorkParameters, WorkRow>(
  'work.alerts',
  (p) => sql`
  SELECT a.id, a.subscription_id AS "parentId", a.application_id AS "applicationId", a.business_id AS "businessId",
    a.kind AS reason, NULL::text AS queue, a.sla_due_at AS "dueAt", a.first_seen_at AS "createdAt"
  FROM monitoring_alert a
  WHERE a.tenant_id = ${p.tenantId} AND a.environment = ${p.environment} AND a.status IN ('open', 'acknowledged')
    AND ${workPage(p, sql`a.sla_due_at`, sql`a.id`)}`,
);
