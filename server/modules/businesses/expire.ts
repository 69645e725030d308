/**
 * Periodic expiry of unanswered requests and of approvals of businesses. Registered by the index of the module as due
 * work, and run by the layer tasks by the clock of each environment. Works in batches and skips locked businesses. A
 * draft of a business does not expire.
 */
import { appendAudit } from '../../audit/chain.ts';
import { MINUTE_SECONDS } from '../../base/time.ts';
import type { Transaction } from '../../database/index.ts';
import type { Due, Effect } from '../../tasks/due.ts';
import { changedStatus, endInformationRequest } from '../decisions/index.ts';
import { publish } from '../subject-events/index.ts';
import { about } from './audit.ts';
import { EXPIRED_AT_ONCE, expireBusinesses } from './expiry-store.ts';
import { subjectOf } from './record.ts';

const ACTOR = {
  type: 'system',
  id: 'businesses.expire',
  display: 'Expiry of businesses',
  impersonatorId: null,
} as const;
/** Statuses that expire, with the status reason of the expiry. */
const DUE = { needs_information: 'information_overdue', approved: 'validity_ended' } as const;

/** Expires businesses that did not answer, and approvals whose validity has ended. */
export const businessesDue: Due = {
  name: ACTOR.id,
  everySeconds: 5 * MINUTE_SECONDS,
  atOnce: EXPIRED_AT_ONCE,
  run: async (tx, moment) => [
    ...(await expireFrom(tx, 'needs_information', moment)),
    ...(await expireFrom(tx, 'approved', moment)),
  ],
};

async function expireFrom(
  tx: Transaction,
  from: keyof typeof DUE,
  { environment, businessTime, now }: Parameters<Due['run']>[1],
): Promise<Effect[]> {
  const expired = { status: 'expired', statusReason: DUE[from] } as const;
  const ids = await expireBusinesses(tx, {
    environment,
    from,
    at: businessTime,
    reason: expired.statusReason,
  });
  for (const id of ids) {
    const event = {
      occurredAt: now.toISOString(),
      environment,
      actor: ACTOR,
      outcome: 'success',
    } as const;
    const request =
      from === 'needs_information'
        ? await endInformationRequest(tx, subjectOf({ id }), { status: 'overdue', answeredAt: null })
        : null;
    if (request !== null)
      appendAudit(tx, {
        ...event,
        resource: { type: 'information_request', id: request },
        action: 'information_request.overdue',
        changes: [{ op: 'replace', path: '/businessId', value: id }],
      });
    await publish(tx, {
      type: 'subject.expired',
      subject: subjectOf({ id }),
      environment,
      reason: expired.statusReason,
      at: businessTime,
      now,
    });
    appendAudit(tx, { ...event, resource: about({ id }), action: 'business.expired' });
    appendAudit(tx, {
      ...event,
      resource: about({ id }),
      action: 'business.status_changed',
      changes: changedStatus(expired),
    });
  }
  return ids.map((id) => ({ resource: about({ id }), change: `status ${from} to expired` }));
}
