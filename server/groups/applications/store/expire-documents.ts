import type { Environment } from '../../../contract/principal.ts';
import { sql, statement } from '../../../database/index.ts';
import type { Document } from '../application.ts';
import { document } from './documents.ts';

type Target = { tenantId: string; id: string };

/** The application of either kind of target. */
export const findTarget = statement<Target & { type: string }, { id: string; environment: Environment }>('application.findTarget', (p) => sql`
  SELECT id, environment FROM application WHERE tenant_id = ${p.tenantId}::uuid AND id = ${p.id}::uuid AND ${p.type}::text = 'application'
  UNION ALL
  SELECT application_id, environment FROM document WHERE tenant_id = ${p.tenantId}::uuid AND id = ${p.id}::uuid AND ${p.type}::text = 'document'`);

export type ExpiredRow = Pick<Document, 'id' | 'expiresOn'>;

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
  RETURNING d.id, before.expires_on AS "expiresOn"`);

const LISTED = 100;

/** Documents of the sandbox whose date passes between two days. */
export const findExpiring = statement<{ tenantId: string; from: string; to: string }, ExpiredRow>('document.findExpiring', (p) => sql`
  SELECT ${document.select('id', 'expiresOn')} FROM document
  WHERE ${document.equal({ tenantId: p.tenantId, environment: 'sandbox' })} AND status IN ('uploaded', 'accepted')
    AND expires_on >= ${p.from} AND expires_on < ${p.to}
  ORDER BY expires_on, id LIMIT ${LISTED}`);
