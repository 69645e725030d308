/**
 * Which applicants and businesses are customers, as an SQL condition. Used, through the index, by applications and
 * businesses. If it differs from the rules by which monitoring begins and ends, customers are missed or former
 * customers are still monitored.
 */
import { type Fragment, knex, sql } from '../../database/index.ts';
import { decision } from './decision-store.ts';
import { ACTIVE } from './lifecycle.ts';

/** Columns of a subject, under the alias of the statement. */
interface OfSubject {
  column(member: CustomerMember): Fragment;
}
type CustomerMember =
  | 'tenantId'
  | 'id'
  | 'status'
  | 'statusReason'
  | 'decidedAt'
  | 'validUntil'
  | 'relationshipEndedAt'
  | 'erasedAt';

/**
 * Returns the condition that a subject is a customer of the tenant. Until the relationship ends, this is a subject
 * whose approval is valid or has expired, and an approved one whose case was reopened and is being decided or has
 * expired without an answer. `member` names the subject in the decisions.
 */
export function isCustomerAmong(subject: OfSubject, member: 'applicationId' | 'businessId'): Fragment {
  const status = subject.column('status');
  const wasApproved = sql`(
    SELECT d.outcome FROM decision d WHERE d.tenant_id = ${subject.column('tenantId')}
      AND ${decision.as('d').column(member)} = ${subject.column('id')}
      AND ${decision.as('d').equal({ status: 'effective' })}
    ORDER BY d.effective_at DESC, d.id DESC LIMIT 1) = 'approve'`;
  return sql`(${status} = 'approved' OR (${status} = 'expired' AND ${subject.column('validUntil')} IS NOT NULL
    AND ${subject.column('statusReason')} IS DISTINCT FROM 'renewed')
      OR (${subject.column('decidedAt')} IS NOT NULL AND (${status} = ANY (${knex.raw(`'{${ACTIVE.join(',')}}'`)})
        OR (${status} = 'expired' AND ${subject.column('validUntil')} IS NULL)) AND ${wasApproved}))
    AND ${subject.column('relationshipEndedAt')} IS NULL AND ${subject.column('erasedAt')} IS NULL`;
}
