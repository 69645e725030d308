/**
 * Returns an application whose decision waits for a second person to review when its evidence changes. Called wherever
 * evidence is added or changed: documents, consents, waivers, attestations, verifications. The caller holds the lock on
 * the application; `reviewAgain` leaves the audit of the invalidated decision to it. A change of evidence that forgets
 * this leaves a decision on old evidence.
 */
import { appendAudit } from '../../../audit/chain.ts';
import { addMilliseconds, type BusinessTime, type RealTime } from '../../../base/time.ts';
import type { components } from '../../../contract/generated/types.ts';
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

interface BySystem {
  readonly at: BusinessTime;
  readonly now: RealTime;
  readonly actor: components['schemas']['AuditActor'];
}

/** Does the same for evidence that a task has added, and writes the audit events. */
export async function reviewAgainBySystem(
  tx: Transaction,
  application: ApplicationRecord,
  { at, now, actor }: BySystem,
): Promise<void> {
  const invalidated = await reviewAgain({ tx, now, timeIn: () => at }, application);
  if (invalidated === null) return;
  const { id, environment } = application;
  const common = {
    occurredAt: now.toISOString(),
    environment,
    actor,
    outcome: 'success',
  } as const;
  appendAudit(tx, {
    ...common,
    action: 'decision.invalidated',
    resource: { type: 'decision', id: invalidated.id },
    changes: [{ op: 'add', path: '/applicationId', value: id }],
  });
  appendAudit(tx, {
    ...common,
    action: 'application.status_changed',
    resource: { type: 'application', id },
    changes: Object.entries(EVIDENCE_CHANGED).map(([member, value]) => ({ op: 'replace', path: `/${member}`, value })),
  });
}
