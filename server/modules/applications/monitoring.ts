import type { Transaction } from '../../database/index.ts';
import { type EndReason, endSubscriptions, subscribe } from '../subscriptions/index.ts';
import type { ApplicationRecord } from './application.ts';

/** Whom nobody asked to be monitored: an approval says it. */
export const APPROVAL = { type: 'system', id: 'applications.approved', display: 'Approval' } as const;

/** What of an application says whether its applicant is monitored. */
interface Followed extends Pick<ApplicationRecord, 'id' | 'environment' | 'status' | 'statusReason' | 'relationshipEndedAt'> {
  readonly isErased?: boolean;
  /** The relationship had ended and goes on, as with a case that is reopened. */
  readonly isResumed?: boolean;
}

/** What becomes of the subscription: it begins, unless there is one; it goes on, if there is one; or it ends, and why. */
type Consequence = 'begins' | 'stays' | EndReason;

/**
 * What each status means for whoever was a customer until then. A case that is decided anew, and one whose applicant does not answer, is about a customer as before: only a decision, a withdrawal or the end of the
 * relationship ends that. `isCustomer` (monitored-store.ts) counts by the same rule.
 */
const BY_STATUS: Readonly<Record<ApplicationRecord['status'], Consequence>> = {
  draft: 'stays', submitted: 'stays', in_review: 'stays', needs_information: 'stays', pending_approval: 'stays', approved: 'begins', rejected: 'rejected', withdrawn: 'withdrawn', expired: 'stays',
};

/** What outweighs the status. */
function consequenceOf({ status, statusReason, relationshipEndedAt, isErased = false, isResumed = false }: Followed): Consequence {
  if (isErased) return 'erased';
  if (relationshipEndedAt !== null) return 'relationship_ended';
  if (isResumed) return 'begins';
  return status === 'expired' && statusReason === 'renewed' ? 'renewed' : BY_STATUS[status];
}

/** Begins and ends subscriptions in the transaction that changes applications: every change of what is followed comes through here. `at` is the business time, and `now` the real one. */
export async function followStatus(tx: Transaction, applications: readonly Followed[], { at, now }: { readonly at: Date; readonly now: Date }): Promise<void> {
  for (const [consequence, some] of Map.groupBy(applications, consequenceOf)) {
    if (consequence === 'stays') continue;
    if (consequence !== 'begins') await endSubscriptions(tx, some.map(({ id }) => id), consequence, at);
    else for (const { id, environment } of some) await subscribe(tx, { environment, applicationId: id, createdBy: APPROVAL, at, now });
  }
}
