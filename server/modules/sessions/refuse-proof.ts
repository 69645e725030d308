/**
 * Records that a cookie came without its proof, and returns the refusal. Called by the sessions of browsers. The
 * session goes on, because its owner did nothing wrong.
 */
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { auditSubjectOf, findMember, recordPublicEvent, type RequestOrigin } from '../accounts/index.ts';
import type { Session } from './store.ts';

/**
 * Records the refusal of a cookie without its proof, and returns it. The session continues, because its owner has done
 * nothing wrong, and a thief of the cookie gains nothing by trying.
 */
export async function refuseProof(
  tx: Transaction,
  { tenantId, id, userId }: Session,
  origin: RequestOrigin,
): Promise<Problem> {
  const member = await findMember(tx, tenantId, userId);
  recordPublicEvent<'renewBrowserSession'>(tx, tenantId, origin, {
    ...auditSubjectOf(member?.user ?? { id: userId, name: 'former member' }, tenantId),
    resource: { type: 'session', id },
    action: 'auth.session.proof_refused',
    outcome: 'denied',
    reason: 'csrf_token_invalid',
  });
  return new Problem('csrf_token_invalid');
}
