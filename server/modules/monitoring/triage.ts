/**
 * Records what a person has decided about an alert. Called by the handler. Refuses closed alerts, steps that the state
 * does not allow, and the dismissal of a critical alert by one person.
 */
import type { BusinessTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import { actorOf } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import type { Context } from '../../request/handler.ts';
import { assertReason } from '../../rules/reasons.ts';
import { subjectNamedBy } from '../../rules/subject.ts';
import { readStructure, statesOf } from '../businesses/index.ts';
import { type Joined, openOrJoin, QUEUE_OF } from '../cases/index.ts';
import { acceptFound, type Alert, type AlertStatus, putIntoCase, recordTriage } from '../subscriptions/index.ts';
import { lookup } from './lookup.ts';

type Outcome = components['schemas']['AlertTriage']['outcome'];

/** States from which each outcome is possible, and the state that it leads to. */
const OUTCOMES: Readonly<Record<Outcome, { readonly from: readonly AlertStatus[]; readonly to: AlertStatus }>> = {
  acknowledge: { from: ['open', 'acknowledged'], to: 'acknowledged' },
  dismiss: { from: ['open', 'acknowledged'], to: 'dismissed' },
  escalate: { from: ['open', 'acknowledged'], to: 'escalated' },
  resolve: { from: ['escalated'], to: 'resolved' },
};

/** An alert after the action of a person, and the case that an escalation has opened or joined. */
interface Triaged {
  readonly alert: Alert;
  readonly joined: Joined | null;
}

/**
 * Records the outcome of an alert that a person has decided. An escalation opens or joins a case, so it locks the
 * subject before the alert, as everything that changes both does; so does every outcome of an alert about a business,
 * because it may accept its new state.
 */
export async function triage(ctx: Context<'triageAlert'>): Promise<Triaged> {
  const {
    tx,
    principal,
    params: { alertId },
    body,
    timeIn,
  } = ctx;
  const { outcome, reasonCode } = body;
  await lockSubjectOf(ctx, alertId);
  const before = await lookup(ctx).alert(alertId).forChange();
  assertReason('alert', outcome, reasonCode);
  const { from, to } = OUTCOMES[outcome];
  if (isClosed(before)) throw new Problem('alert_closed', { detail: `The alert is ${before.status}.` });
  if (!from.includes(before.status))
    throw new Problem('validation_failed', {
      errors: [
        { pointer: '/outcome', code: 'not_possible', message: `is not possible for an alert that is ${before.status}` },
      ],
    });
  if (outcome === 'dismiss' && before.severity === 'critical') throw new Problem('critical_cannot_be_dismissed_alone');
  const [by, at] = [actorOf(principal), timeIn(before.environment)];
  await recordTriage(tx, before, {
    ...body,
    status: to,
    by,
    at,
  });
  const { businessId } = before;
  if (businessId !== null && (outcome === 'dismiss' || outcome === 'resolve'))
    await acceptFound(tx, before, { states: statesOf(await readStructure(tx, businessId)), at });
  const joined = outcome === 'escalate' ? await escalate(tx, before, by, at) : null;
  const alert = {
    ...before,
    status: to,
    outcome,
    reasonCode,
    note: body.note,
    triagedBy: by,
    triagedAt: at.toISOString(),
    caseId: joined?.record.id ?? before.caseId,
  };
  return { alert, joined };
}

function isClosed({ status }: Pick<Alert, 'status'>): boolean {
  return status === 'dismissed' || status === 'resolved';
}

async function lockSubjectOf(ctx: Context<'triageAlert'>, alertId: string): Promise<void> {
  const found = await lookup(ctx).alertWithoutLock(alertId).forChangeWithoutLock();
  // The subject of a closed alert may be erased, and nothing is changed.
  if (isClosed(found)) return;
  const { kind, id } = subjectNamedBy(found);
  if (kind === 'business') await lookup(ctx).business(id).forChange();
  else if (ctx.body.outcome === 'escalate') await lookup(ctx).application(id).forChange();
}

/** Type of the case of an escalated alert, by the kind of its subject. */
const CASE_TYPES = { application: 'monitoring_alert', business: 'business_review' } as const;

async function escalate(
  tx: Transaction,
  { id, environment, subscriptionId, severity, ...row }: Alert,
  by: components['schemas']['Actor'],
  at: BusinessTime,
): Promise<Joined> {
  const joined = await openOrJoin(tx, {
    environment,
    subject: subjectNamedBy(row),
    type: CASE_TYPES[subjectNamedBy(row).kind],
    queue: QUEUE_OF[severity],
    openedReason: 'alert_escalated',
    link: { kind: 'alert', id, parentId: subscriptionId },
    by,
    at,
  });
  await putIntoCase(tx, id, joined.record.id);
  return joined;
}
