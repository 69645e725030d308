/**
 * Records what a person has decided about an alert. Called by the handler. Refuses closed alerts, steps that the state
 * does not allow, and the dismissal of a critical alert by one person.
 */
import type { components } from '../../contract/generated/types.ts';
import { actorOf } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Context } from '../../request/handler.ts';
import { assertReason } from '../../rules/reasons.ts';
import { type Alert, type AlertStatus, recordTriage } from '../subscriptions/index.ts';
import { lookup } from './lookup.ts';

type Outcome = components['schemas']['AlertTriage']['outcome'];

/** States from which each outcome is possible, and the state that it leads to. */
const OUTCOMES: Readonly<Record<Outcome, { readonly from: readonly AlertStatus[]; readonly to: AlertStatus }>> = {
  acknowledge: { from: ['open', 'acknowledged'], to: 'acknowledged' },
  dismiss: { from: ['open', 'acknowledged'], to: 'dismissed' },
  escalate: { from: ['open', 'acknowledged'], to: 'escalated' },
  resolve: { from: ['escalated'], to: 'resolved' },
};

/** Records the outcome of an alert that a person has decided. */
export async function triage(ctx: Context<'triageAlert'>): Promise<Alert> {
  const {
    tx,
    principal,
    params: { alertId },
    body,
    timeIn,
  } = ctx;
  const before = await lookup(ctx).alert(alertId).forChange();
  const { outcome, reasonCode } = body;
  assertReason('alert', outcome, reasonCode);
  const { from, to } = OUTCOMES[outcome];
  if (before.status === 'dismissed' || before.status === 'resolved')
    throw new Problem('alert_closed', { detail: `The alert is ${before.status}.` });
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
  return {
    ...before,
    status: to,
    outcome,
    reasonCode,
    note: body.note,
    triagedBy: by,
    triagedAt: at.toISOString(),
  };
}
