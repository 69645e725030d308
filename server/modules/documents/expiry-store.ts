import type { BusinessTime } from '../../base/time.ts';
import type { Uuid } from '../../base/uuid.ts';
import type { Environment } from '../../contract/operation.ts';
import { sql, statement } from '../../database/index.ts';
import type { Subject } from '../../rules/subject.ts';
import { type Document, document } from './store.ts';

type Target = { tenantId: string; id: string };

/** Subject of documents that are to expire. */
interface Found {
  readonly kind: Subject['kind'];
  readonly id: Uuid;
  readonly environment: Environment;
}

/** Finds the subject of a target, which is an application, a business or a document of one. */
export const findTarget = statement<Target & { type: string }, Found>(
  'document.findTarget',
  (p) => sql`
  SELECT 'application' AS kind, id, environment FROM application
    WHERE tenant_id = ${p.tenantId} AND id = ${p.id} AND erased_at IS NULL AND ${p.type}::text = 'application'
  UNION ALL
  SELECT 'business', id, environment FROM business
    WHERE tenant_id = ${p.tenantId} AND id = ${p.id} AND erased_at IS NULL AND ${p.type}::text = 'business'
  UNION ALL
  SELECT CASE WHEN application_id IS NULL THEN 'business' ELSE 'application' END,
    coalesce(application_id, business_id), environment FROM document
    WHERE ${document.equal({
      tenantId: p.tenantId,
      id: p.id,
      erasedAt: null,
      caseId: null,
    })}
      AND coalesce(application_id, business_id) IS NOT NULL
      AND ${p.type}::text = 'document'`,
);

type ExpiredRow = Pick<Document, 'id' | 'expiresOn'>;

/** Sets the expiry date of valid evidence to the past. Returns the previous dates. */
export const expireEvidence = statement<Target & { today: string; yesterday: string; at: BusinessTime }, ExpiredRow>(
  'document.expire',
  (p) => sql`
  UPDATE document d
    SET expires_on = ${p.yesterday}::date, version = d.version + 1,
    updated_at = greatest(${p.at}::timestamptz, d.updated_at + interval '1 millisecond')
  FROM (
    SELECT tenant_id, id, expires_on FROM document
    WHERE tenant_id = ${p.tenantId}::uuid AND (id = ${p.id}::uuid OR application_id = ${p.id}::uuid
        OR business_id = ${p.id}::uuid)
      AND environment = 'sandbox' AND case_id IS NULL
      AND status IN ('uploaded', 'accepted') AND (expires_on IS NULL OR expires_on >= ${p.today}::date)
    ORDER BY id FOR UPDATE
  ) before
  WHERE d.tenant_id = before.tenant_id AND d.id = before.id
  RETURNING d.id, before.expires_on AS "expiresOn"`,
);

const LISTED = 100;

/** Finds the documents of the sandbox that expire between two days. */
export const findExpiring = statement<{ tenantId: string; from: string; to: string }, ExpiredRow>(
  'document.findExpiring',
  (p) => sql`
  SELECT ${document.select('id', 'expiresOn')} FROM document
  WHERE ${document.equal({ tenantId: p.tenantId, environment: 'sandbox', caseId: null })}
    AND status IN ('uploaded', 'accepted')
    AND expires_on >= ${p.from} AND expires_on < ${p.to}
  ORDER BY expires_on, id LIMIT ${LISTED}`,
);
