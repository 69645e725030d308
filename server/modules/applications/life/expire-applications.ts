/**
 * Periodic expiry of drafts, of unanswered requests and of approvals. Registered by the index of the module as due
 * work, and run by the layer tasks by the clock of each environment. Works in batches and skips locked applications.
 * Each expiry is audited and ends monitoring where the rules say so.
 */
import { appendAudit } from '../../../audit/chain.ts';
import { addMilliseconds, type BusinessTime, MINUTE_SECONDS, type RealTime } from '../../../base/time.ts';
import type { Environment } from '../../../contract/operation.ts';
import type { Transaction } from '../../../database/index.ts';
import type { Due, Effect } from '../../../tasks/due.ts';
import { endInformationRequest } from '../../decisions/index.ts';
import { publish } from '../../subject-events/index.ts';
import { changedStatus, subjectOf } from '../record/application.ts';
import { writingDelay } from '../record/list-store.ts';
import { followStatus } from './monitoring.ts';
import { EXPIRED_AT_ONCE, expireApproved, expireDue } from './lapse-store.ts';

const ACTOR = {
  type: 'system',
  id: 'applications.expire',
  display: 'Expiry of applications',
  impersonatorId: null,
} as const;
/** Statuses that expire, with the status reason of the expiry. */
const DUE = { draft: 'draft_expired', needs_information: 'information_overdue', approved: 'validity_ended' } as const;

/**
 * Expires drafts that were not submitted in time, applications whose applicants did not answer, and expired approvals.
 */
export const applicationsDue: Due = {
  name: ACTOR.id,
  everySeconds: 5 * MINUTE_SECONDS,
  atOnce: EXPIRED_AT_ONCE,
  run: async (tx, { environment, businessTime, now }) => {
    const when = { environment, time: addMilliseconds(businessTime, await writingDelay(tx, now)), now };
    return [
      ...(await expireFrom(tx, 'draft', when)),
      ...(await expireFrom(tx, 'needs_information', when)),
      ...(await expireFrom(tx, 'approved', when)),
    ];
  },
};

interface When {
  readonly environment: Environment;
  readonly time: BusinessTime;
  readonly now: RealTime;
}

async function expireFrom(
  tx: Transaction,
  from: keyof typeof DUE,
  { environment, time, now }: When,
): Promise<Effect[]> {
  const expired = { status: 'expired', statusReason: DUE[from] } as const;
  const rows = await tx.run(from === 'approved' ? expireApproved : expireDue, {
    tenantId: tx.tenantId!,
    environment,
    from,
    at: time,
    reason: expired.statusReason,
  });
  await followStatus(
    tx,
    rows.map(({ id }) => ({
      id,
      environment,
      ...expired,
      relationshipEndedAt: null,
    })),
    { at: time, now },
  );
  for (const { id } of rows) {
    const event = {
      occurredAt: now.toISOString(),
      environment,
      actor: ACTOR,
      outcome: 'success',
    } as const;
    const resource = { type: 'application', id } as const;
    const request =
      from === 'needs_information'
        ? await endInformationRequest(tx, subjectOf({ id }), { status: 'overdue', answeredAt: null })
        : null;
    if (request !== null) {
      appendAudit(tx, {
        ...event,
        resource: { type: 'information_request', id: request },
        action: 'information_request.overdue',
        changes: [{ op: 'replace', path: '/applicationId', value: id }],
      });
    }
    appendAudit(tx, { ...event, resource, action: 'application.expired' });
    appendAudit(tx, {
      ...event,
      resource,
      action: 'application.status_changed',
      changes: changedStatus(expired),
    });
    await publish(tx, {
      type: 'subject.expired',
      subject: { kind: 'application', id },
      environment,
      reason: expired.statusReason,
      at: time,
      now,
    });
  }
  return rows.map(({ id }) => ({ resource: { type: 'application', id }, change: `status ${from} to expired` }));
}
