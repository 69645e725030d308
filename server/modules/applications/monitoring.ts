import type { Transaction } from '../../database/index.ts';
import { endSubscriptions, subscribe } from '../subscriptions/index.ts';
import type { ApplicationRecord } from './application.ts';

/** Whom nobody asked to be monitored: an approval says it. */
export const APPROVAL = { type: 'system', id: 'applications.approved', display: 'Approval' } as const;

interface Outcome {
  readonly renewedId: string | null;
  /** By the clock of the environment, and by the real one. */
  readonly at: Date;
  readonly now: Date;
}

/** Whoever is approved is monitored from then on, in the transaction of the approval; whoever is rejected, or was renewed, no longer. */
export async function watchFromNowOn(tx: Transaction, before: ApplicationRecord, { id, environment, status }: ApplicationRecord, { renewedId, at, now }: Outcome): Promise<void> {
  if (status === 'approved' && before.status !== 'approved') await subscribe(tx, { environment, applicationId: id, createdBy: APPROVAL, at, now });
  if (status === 'rejected') await endSubscriptions(tx, [id], 'rejected', at);
  if (renewedId !== null) await endSubscriptions(tx, [renewedId], 'renewed', at);
}
