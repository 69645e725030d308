/**
 * Returns an application whose decision waits for a second person to review when its evidence changes. Called wherever
 * evidence is added or changed: documents, consents, waivers, attestations. The caller holds the lock on the
 * application and audits the invalidated decision. A change of evidence that forgets this leaves a decision on old
 * evidence.
 */
import { addMilliseconds, type RealTime } from '../../../base/time.ts';
import type { Transaction } from '../../../database/index.ts';
import type { BusinessClocks } from '../../../rules/brazilian-calendar.ts';
import { EVIDENCE_CHANGED, type Invalidated, invalidateProposal } from '../../decisions/index.ts';
import { returnToReview } from '../life/lapse-store.ts';
import { type ApplicationRecord, subjectOf } from '../record/application.ts';
import { writingDelay } from '../record/list-store.ts';

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
  const invalidated = await invalidateProposal(tx, subjectOf(application), at);
  if (invalidated !== null)
    void tx.run(returnToReview, {
      tenantId: tx.tenantId!,
      id: application.id,
      reason: EVIDENCE_CHANGED.statusReason,
      at,
    });
  return invalidated;
}
