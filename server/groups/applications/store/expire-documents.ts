import type { Environment } from '../../../contract/principal.ts';
import { knex, sql, statement } from '../../../database/index.ts';

type Target = { tenantId: string; id: string };

/** The application of either kind of target. */
export const findTarget = statement<Target & { type: string }, { id: string; environment: Environment }>('application.findTarget', (p) => sql`
  SELECT id, environment FROM application WHERE tenant_id = ${p.tenantId}::uuid AND id = ${p.id}::uuid AND ${p.type}::text = 'application'
  UNION ALL
  SELECT application_id, environment FROM document WHERE tenant_id = ${p.tenantId}::uuid AND id = ${p.id}::uuid AND ${p.type}::text = 'document'`);

export interface ExpiredRow {
  readonly id: string;
  readonly expires_on: string | null;
}

/** Evidence that still counts gets a date in the past; what it had before is answered. */
export const expireEvidence = statement<Target & { today: string; yesterday: string; now: Date }, ExpiredRow>('document.expire', (p) => sql`
  UPDATE document d SET expires_on = ${p.yesterday}::date, version = d.version + 1, updated_at = greatest(${p.now}::timestamptz, d.updated_at + interval '1 millisecond')
  FROM (
    SELECT tenant_id, id, expires_on FROM document
    WHERE tenant_id = ${p.tenantId}::uuid AND (id = ${p.id}::uuid OR application_id = ${p.id}::uuid) AND environment = 'sandbox'
      AND status IN ('uploaded', 'accepted') AND (expires_on IS NULL OR expires_on >= ${p.today}::date)
    ORDER BY id FOR UPDATE
  ) before
  WHERE d.tenant_id = before.tenant_id AND d.id = before.id
  RETURNING d.id, before.expires_on`);

const LISTED = 100;

/** Documents of the sandbox whose date passes between two days. */
export const findExpiring = statement<{ tenantId: string; from: string; to: string }, ExpiredRow>('document.findExpiring', (p) =>
  knex('document').select('id', 'expires_on').where({ tenant_id: p.tenantId, environment: 'sandbox' })
    .whereIn('status', ['uploaded', 'accepted']).where(sql`expires_on >= ${p.from}`).where(sql`expires_on < ${p.to}`)
    .orderBy(['expires_on', 'id']).limit(LISTED));
