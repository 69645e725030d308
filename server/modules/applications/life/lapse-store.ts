/**
 * Statements that change the status of an application without a request from its tenant: expiry, return to review, end
 * of a renewed approval. Used by the periodic work, renewals and pending decisions. They keep `updatedAt` increasing,
 * because clients follow changes by it.
 */
import type { BusinessTime, BusinessTimestamp } from '../../../base/time.ts';
import type { Uuid } from '../../../base/uuid.ts';
import type { Environment } from '../../../contract/operation.ts';
import { sql, statement } from '../../../database/index.ts';
import { timeOfChange } from '../../decisions/index.ts';
import { application } from '../record/store.ts';

type Key = { tenantId: string; id: string };

/** Returns an application whose decision waits to review. The caller must hold the lock on the application. */
export const returnToReview = statement<Key & { reason: string; at: BusinessTime }>(
  'application.returnToReview',
  (p) => sql`
  UPDATE application
    SET ${application.revise(timeOfChange(p.at), { status: 'in_review', statusReason: p.reason, statusNote: null })}
  WHERE ${application.equal({ tenantId: p.tenantId, id: p.id, status: 'pending_approval' })}`,
  { expectRows: 1 },
);

export const EXPIRED_AT_ONCE = 100;

/**
 * Expires due applications. Skips locked applications: they are being changed and are retried in the next round. The
 * subquery is materialised, because a plan that runs it again for each row would find other rows each time and exceed
 * the batch size.
 */
const expireBy = (name: string, due: 'expiresAt' | 'validUntil') =>
  statement<
    {
      tenantId: string;
      environment: Environment;
      from: 'draft' | 'needs_information' | 'approved';
      at: BusinessTime;
      reason: string;
    },
    { id: Uuid }
  >(
    name,
    (p) => sql`
  WITH due AS MATERIALIZED (
    SELECT id FROM application
    WHERE ${application.equal({
      tenantId: p.tenantId,
      environment: p.environment,
      status: p.from,
      erasedAt: null,
    })} AND ${application.column(due)} <= ${p.at}
    ORDER BY ${application.column(due)} LIMIT ${EXPIRED_AT_ONCE} FOR UPDATE SKIP LOCKED)
  UPDATE application SET ${application.revise(timeOfChange(p.at), { status: 'expired', statusReason: p.reason })}
  WHERE ${application.equal({ tenantId: p.tenantId })} AND id IN (SELECT id FROM due)
  RETURNING id`,
  );

/** Expires an approval that was renewed. Leaves an application that was reopened as it is. */
export const endRenewed = statement<Key & { reason: string; at: BusinessTime }, { id: Uuid }>(
  'application.endRenewed',
  (p) => sql`
  UPDATE application SET ${application.revise(timeOfChange(p.at), { status: 'expired', statusReason: p.reason })}
  WHERE ${application.equal({
    tenantId: p.tenantId,
    id: p.id,
    status: 'approved',
    erasedAt: null,
  })} RETURNING id`,
);

/** Ends the relationship of the renewed approval, of the approval that it had renewed itself, and so on. */
export const endRenewedRelationships = statement<
  Key & { relationshipEndedAt: BusinessTimestamp; at: BusinessTime },
  { id: Uuid }
>(
  'application.endRenewedRelationships',
  (p) => sql`
  WITH RECURSIVE renewed AS (
    SELECT id, renews_application_id FROM application WHERE ${application.equal({ tenantId: p.tenantId, id: p.id })}
    UNION SELECT a.id, a.renews_application_id FROM application a
      JOIN renewed r ON a.tenant_id = ${p.tenantId}::uuid AND a.id = r.renews_application_id)
  UPDATE application SET ${application.revise(timeOfChange(p.at), { relationshipEndedAt: p.relationshipEndedAt })}
  WHERE ${application.equal({
    tenantId: p.tenantId,
    status: 'expired',
    relationshipEndedAt: null,
    erasedAt: null,
  })} AND id IN (SELECT id FROM renewed) AND valid_until IS NOT NULL
  RETURNING id`,
);

/** Expires drafts and unanswered information requests. */
export const expireDue = expireBy('application.expireApplications', 'expiresAt');
/** Expires approvals whose validity has ended. */
export const expireApproved = expireBy('application.expireApprovals', 'validUntil');
