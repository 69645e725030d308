/**
 * Begins and ends the monitoring of an applicant when the application changes. Called by decisions, expiry, renewals
 * and erasure in the transaction of the change. A change of status that forgets this leaves a customer without
 * monitoring or monitors somebody who is none.
 */
import type { BusinessTime, RealTime } from '../../../base/time.ts';
import type { Transaction } from '../../../database/index.ts';
import { type EndReason, endSubscriptions, subscribe } from '../../subscriptions/index.ts';
import { type ApplicationRecord, subjectOf } from '../record/application.ts';

/** Actor of subscriptions that an approval creates, because no caller asks for them. */
export const APPROVAL = { type: 'system', id: 'applications.approved', display: 'Approval' } as const;

/** Members of an application that decide whether its applicant is monitored. */
interface Followed
  extends Pick<ApplicationRecord, 'id' | 'environment' | 'status' | 'statusReason' | 'relationshipEndedAt'> {
  readonly isErased?: boolean;
  /** Whether the relationship had ended and continues, as it does if the case is reopened. */
  readonly isResumed?: boolean;
}

/** Effect on the subscription: `begins` creates one unless there is one, `stays` has no effect, a reason ends it. */
type Consequence = 'begins' | 'stays' | EndReason;

/**
 * Effect of each status. A customer whose case is reopened, or who does not answer in it, remains a customer: only a
 * decision, a withdrawal or the end of the relationship changes that. `isCustomer` (monitored-store.ts) follows the
 * same rule.
 */
const BY_STATUS: Readonly<Record<ApplicationRecord['status'], Consequence>> = {
  draft: 'stays',
  submitted: 'stays',
  in_review: 'stays',
  needs_information: 'stays',
  pending_approval: 'stays',
  approved: 'begins',
  rejected: 'rejected',
  withdrawn: 'withdrawn',
  expired: 'stays',
};

/** Returns the effect of a change. An erasure and the end or resumption of the relationship override the status. */
function consequenceOf({
  status,
  statusReason,
  relationshipEndedAt,
  isErased = false,
  isResumed = false,
}: Followed): Consequence {
  if (isErased) return 'erased';
  if (relationshipEndedAt !== null) return 'relationship_ended';
  if (isResumed) return 'begins';
  return status === 'expired' && statusReason === 'renewed' ? 'renewed' : BY_STATUS[status];
}

/**
 * Creates and ends subscriptions in the transaction that changes applications. Every change of the members in
 * `Followed` must call this function. `at` is the business time, and `now` the real time.
 */
export async function followStatus(
  tx: Transaction,
  applications: readonly Followed[],
  { at, now }: { readonly at: BusinessTime; readonly now: RealTime },
): Promise<void> {
  for (const [consequence, some] of Map.groupBy(applications, consequenceOf)) {
    if (consequence === 'stays') continue;
    if (consequence !== 'begins') await endSubscriptions(tx, some.map(subjectOf), consequence, at);
    else
      for (const { id, environment } of some)
        await subscribe(tx, {
          environment,
          subject: subjectOf({ id }),
          createdBy: APPROVAL,
          at,
          now,
        });
  }
}
