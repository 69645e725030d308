/**
 * Raises an alert, reopens it or repeats it, and publishes a new one. Called, through the index, by monitoring. Returns
 * null if nothing changes, for example for an alert that a person has dismissed.
 */
import { appendAudit } from '../../audit/chain.ts';
import { addMilliseconds, HOUR_MILLISECONDS } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import { namedSubject, subjectNamedBy } from '../../rules/subject.ts';
import { publish, type When } from '../subject-events/index.ts';
import { type AlertKind, raiseAlert, type Severity } from './alert-store.ts';

/** Actor of changes that no person has made. */
export const MONITORING = { type: 'system', id: 'monitoring', display: 'Monitoring' } as const;

/** Hours within which an alert must be taken up. */
const HOURS: Readonly<Record<Severity, number>> = {
  critical: 4,
  high: 24,
  medium: 72,
  low: 168,
  info: 336,
};

type Row = Parameters<typeof raiseAlert>[1];

/** Known members of a finding; the others are null. */
type Seen = Pick<Row, 'subscriptionId' | 'dedupeKey'> &
  Partial<
    Pick<
      Row,
      | 'applicationId'
      | 'businessId'
      | 'screeningId'
      | 'hitId'
      | 'listId'
      | 'entityMac'
      | 'entityHash'
      | 'score'
      | 'scoreBefore'
      | 'documentId'
      | 'powerId'
      | 'dueOn'
      | 'stateBefore'
      | 'stateAfter'
    >
  > & { readonly environment: Environment; readonly kind: AlertKind; readonly severity: Severity };

export interface Raised {
  readonly alertId: string;
  readonly isNew: boolean;
}

const NOTHING = {
  applicationId: null,
  businessId: null,
  screeningId: null,
  hitId: null,
  listId: null,
  entityMac: null,
  entityHash: null,
  score: null,
  scoreBefore: null,
  documentId: null,
  powerId: null,
  dueOn: null,
  stateBefore: null,
  stateAfter: null,
};

/** Raises an alert, reopens it, or records that another screening has found it. Returns null if nothing changes. */
export async function raise(tx: Transaction, what: Seen, { at, now }: When): Promise<Raised | null> {
  const { environment, kind, severity, applicationId = null, businessId = null } = what;
  const alert = await raiseAlert(
    tx,
    { ...NOTHING, ...what, slaDueAt: addMilliseconds(at, HOURS[severity] * HOUR_MILLISECONDS) },
    at,
  );
  if (alert === null) return null;
  const { id: alertId, isNew } = alert;
  if (isNew) {
    appendAudit(tx, {
      occurredAt: now.toISOString(),
      environment,
      actor: { ...MONITORING, impersonatorId: null },
      action: 'alert.raised',
      resource: { type: 'monitoring_alert', id: alertId },
      outcome: 'success',
      changes: Object.entries({ ...namedSubject({ applicationId, businessId }), kind, severity }).map(
        ([name, value]) => ({
          op: 'add',
          path: `/${name}`,
          value,
        }),
      ),
    });
    await publish(tx, {
      type: 'alert.raised',
      subject: subjectNamedBy(what),
      environment,
      alertId,
      kind,
      severity,
      at,
      now,
    });
  }
  return { alertId, isNew };
}
