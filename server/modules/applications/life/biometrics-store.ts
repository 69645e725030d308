/**
 * The statement that marks biometric files as erased, for biometric-retention.ts. It must keep pictures that an open
 * renewal compares or that prove a consent or an attestation. Skips locked applications, which follow in the next
 * round.
 */
import type { BusinessTime } from '../../../base/time.ts';
import type { Environment } from '../../../contract/operation.ts';
import { knex, sql, statement } from '../../../database/index.ts';
import { type Document, document } from '../../documents/index.ts';
import { BIOMETRIC } from '../evidence/biometrics.ts';
import { ACTIVE, type ApplicationRecord } from '../record/application.ts';

export const ERASED_AT_ONCE = 100;

/** Statuses in which no reviewer needs pictures of the applicant any more. */
const ENDED: readonly ApplicationRecord['status'][] = ['approved', 'rejected', 'withdrawn', 'expired'];

/** Document types as literals, so that the partial index is used. */
const types = knex.raw(BIOMETRIC.map((type) => `'${type}'`).join(', '));

type Due = {
  tenantId: string;
  environment: Environment;
  endedBefore: BusinessTime;
  at: BusinessTime;
};

/**
 * Marks the files of biometric documents as erased if their applications were decided, or ended without a decision,
 * before a given time. Keeps a file while a renewal of its application is open, because reviewers of the renewal
 * compare pictures, and while a consent or an attestation names it as evidence. Skips locked applications: they are
 * being changed and are retried in the next round.
 */
export const eraseBiometricFiles = statement<Due, Pick<Document, 'id' | 'type'> & { readonly applicationId: string }>(
  'document.eraseBiometricFiles',
  (p) => sql`
  WITH due AS MATERIALIZED (
    SELECT d.id FROM document d JOIN application a ON a.tenant_id = d.tenant_id AND a.id = d.application_id
    WHERE d.tenant_id = ${p.tenantId} AND d.environment = ${p.environment} AND d.type IN (${types})
      AND d.file_erased_at IS NULL
      AND d.status <> 'erased' AND a.status = ANY (${ENDED})
        AND coalesce(a.decided_at, a.updated_at) <= ${p.endedBefore}
      AND NOT EXISTS (SELECT FROM application r WHERE r.tenant_id = a.tenant_id AND r.renews_application_id = a.id
        AND r.status = ANY (${ACTIVE}))
      AND NOT EXISTS (SELECT FROM attestation e WHERE e.tenant_id = d.tenant_id AND e.evidence_document_id = d.id)
      AND NOT EXISTS (SELECT FROM consent e WHERE e.tenant_id = d.tenant_id AND e.evidence_document_id = d.id)
    ORDER BY d.id LIMIT ${ERASED_AT_ONCE} FOR UPDATE OF a, d SKIP LOCKED)
  UPDATE document
    SET
    ${document.revise(
      sql`greatest(${p.at}::timestamptz,
      updated_at + interval '1 millisecond')`,
      { fileErasedAt: p.at },
    )}
  WHERE ${document.equal({ tenantId: p.tenantId })} AND id IN (SELECT id FROM due)
  RETURNING ${document.select('id', 'type', 'applicationId')}`,
);
