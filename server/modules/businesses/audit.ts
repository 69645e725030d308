/**
 * What the audit log records of businesses. Used by all handlers of this module. Notes are left out, because the log
 * cannot be erased.
 */
import type { AuditAction } from '../../contract/generated/audit-actions.ts';
import type { AuditedResource } from '../../request/handler.ts';
import { changedStatus, type Decision, EVIDENCE_CHANGED, type Invalidated } from '../decisions/index.ts';
import type { Business } from './store.ts';

export const about = ({ id }: { readonly id: string }) => ({ type: 'business', id }) as const;

/** Returns what the log records of a decision. */
export function ofDecision({ id, outcome }: Invalidated, business: Pick<Business, 'status'> & { readonly id: string }) {
  return [
    { type: 'decision', id },
    { businessId: business.id, businessStatus: business.status, outcome },
  ] as const;
}

/** Writer of audit events with these actions, and possibly others, each with a resource of the action's type. */
type WriterOf<E extends AuditAction> = <A extends E>(action: A, resource: AuditedResource<A>, changes?: object) => void;

interface Decided {
  readonly decision: Decision;
  readonly business: Business;
}

/** Audits a decision that was made or proposed, and what it changes. */
export function auditDecided(
  audit: WriterOf<'decision.proposed' | 'business.status_changed'>,
  { decision, business }: Decided,
): void {
  const { rejectType, reasonCodes, policyVersion, status } = decision;
  const [resource, changes] = ofDecision(decision, business);
  audit('decision.proposed', resource, {
    ...changes,
    status,
    rejectType,
    reasonCodes,
    policyVersion,
  });
  audit('business.status_changed', about(business), changedStatus(business));
}

/** Audits a verdict of a second person about a decision, and what it changes. */
export function auditReviewed(
  audit: WriterOf<'decision.confirmed' | 'decision.returned' | 'business.status_changed'>,
  { decision, business }: Decided,
  outcome: 'confirmed' | 'returned',
): void {
  audit(outcome === 'confirmed' ? 'decision.confirmed' : 'decision.returned', ...ofDecision(decision, business));
  audit('business.status_changed', about(business), changedStatus(business));
}

/** Audits that changed evidence has ended a decision that waited, and returned its business to review. */
export function auditInvalidated(
  audit: WriterOf<'decision.invalidated' | 'business.status_changed'>,
  decision: Invalidated,
  id: string,
): void {
  audit('decision.invalidated', ...ofDecision(decision, { id, ...EVIDENCE_CHANGED }));
  audit('business.status_changed', about({ id }), changedStatus(EVIDENCE_CHANGED));
}
