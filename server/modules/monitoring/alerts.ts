import { appendAudit } from '../../audit/chain.ts';
import { HOUR_SECONDS } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import { type AlertKind, raiseAlert, type Severity } from '../subscriptions/index.ts';

/** Who says what no person has said. */
export const MONITORING = { type: 'system', id: 'monitoring', display: 'Monitoring' } as const;

/** Within so many hours somebody takes an alert up. */
const HOURS: Readonly<Record<Severity, number>> = { critical: 4, high: 24, medium: 72, low: 168, info: 336 };

/** What is known of something that was seen; the rest is null. */
type Seen = Pick<Parameters<typeof raiseAlert>[1], 'subscriptionId' | 'applicationId' | 'dedupeKey'>
  & Partial<Pick<Parameters<typeof raiseAlert>[1], 'screeningId' | 'hitId' | 'listId' | 'entityMac' | 'entityHash' | 'score' | 'scoreBefore' | 'documentId' | 'dueOn'>>
  & { readonly environment: Environment; readonly kind: AlertKind; readonly severity: Severity };

const NOTHING = { screeningId: null, hitId: null, listId: null, entityMac: null, entityHash: null, score: null, scoreBefore: null, documentId: null, dueOn: null };

/** Raises an alert, unless there is one of the same thing; whether it is new. `at` is the business time. */
export async function seen(tx: Transaction, what: Seen, { at, now }: { readonly at: Date; readonly now: Date }): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const { environment, kind, severity, applicationId } = what;
  const alert = await raiseAlert(tx, { ...NOTHING, ...what, slaDueAt: new Date(at.getTime() + HOURS[severity] * HOUR_SECONDS * 1000) }, at);
  if (!alert.isNew) return alert;
  appendAudit(tx, {
    occurredAt: now.toISOString(), environment, actor: { ...MONITORING, impersonatorId: null }, action: 'alert.raised', resource: { type: 'monitoring_alert', id: alert.id }, outcome: 'success',
    changes: Object.entries({ applicationId, kind, severity }).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
  });
  return alert;
}
