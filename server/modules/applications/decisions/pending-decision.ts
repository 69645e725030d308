import { addMilliseconds, type BusinessTime, type RealTime } from '../../../base/time.ts';
import type { Transaction } from '../../../database/index.ts';
import type { BusinessClocks } from '../../../rules/brazilian-calendar.ts';
import { endReview } from '../../second-review/index.ts';
import { returnToReview } from '../life/lapse-store.ts';
import { type ApplicationRecord } from '../record/application.ts';
import { writingDelay } from '../record/list-store.ts';
import { type Decision, endDecision, findPendingDecision } from './decision-store.ts';

/** Returns the subject of the second review of a decision. */
export function subjectOf({ id }: Pick<Decision, 'id'>): { readonly type: 'decision'; readonly id: string } {
  return { type: 'decision', id };
}

/** Decision that waited for a second review and was ended without one. */
export type Invalidated = Pick<Decision, 'id' | 'outcome'>;

/**
 * Ends the decision that waits for a second review, because its evidence has changed or the application has ended. The
 * caller must hold the lock on the application.
 */
export async function invalidateProposal(
  tx: Transaction,
  { id }: Pick<ApplicationRecord, 'id'>,
  now: BusinessTime,
): Promise<Invalidated | null> {
  const pending = await findPendingDecision(tx, { tenantId: tx.tenantId!, applicationId: id });
  if (pending === null) return null;
  endDecision(tx, pending.id, { status: 'invalidated', effectiveAt: null });
  endReview(tx, subjectOf(pending), now);
  return pending;
}

export const EVIDENCE_CHANGED = { status: 'in_review', statusReason: 'evidence_changed' } as const;

interface Change {
  readonly tx: Transaction;
  readonly now: RealTime;
  readonly timeIn: BusinessClocks['timeIn'];
}

/** Returns an application whose decision waits to review after new evidence. Returns null if no decision waits. */
export async function reviewAgain(
  { tx, now, timeIn }: Change,
  application: ApplicationRecord,
): Promise<Invalidated | null> {
  if (application.status !== 'pending_approval') return null;
  const at = addMilliseconds(timeIn(application.environment), await writingDelay(tx, now));
  const invalidated = await invalidateProposal(tx, application, at);
  if (invalidated !== null)
    void tx.run(returnToReview, {
      tenantId: tx.tenantId!,
      id: application.id,
      reason: EVIDENCE_CHANGED.statusReason,
      at,
    });
  return invalidated;
}
