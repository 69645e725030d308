/**
 * Statements about the states of a business that people accepted last: at its approval, or with an alert that they
 * dismissed or resolved. Used by this module and, through the index, by businesses and monitoring. A state that is
 * accepted without a person goes unnoticed.
 */
import type { BusinessTime } from '../../base/time.ts';
import { sql, statement, type Transaction } from '../../database/index.ts';
import { type Alert, alert } from './alert-store.ts';
import { type Accepted, STATE_CHECKS } from './states.ts';
import { subscription } from './store.ts';

type Key = { tenantId: string; id: string };

const find = statement<Key, { accepted: Accepted | null }>(
  'subscription.accepted',
  (p) => sql`
  SELECT accepted FROM monitoring_subscription WHERE ${subscription.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const set = statement<Key & { accepted: Accepted }>(
  'subscription.accept',
  (p) => sql`
  UPDATE monitoring_subscription SET ${subscription.assign({ accepted: p.accepted })}
    WHERE ${subscription.equal({ tenantId: p.tenantId, id: p.id })} AND status <> 'ended'`,
);

const hasLater = statement<{ tenantId: string; businessId: string; id: string }>(
  'alert.hasLater',
  (p) => sql`
  SELECT FROM monitoring_alert a JOIN monitoring_alert later ON later.tenant_id = a.tenant_id
    AND later.business_id = a.business_id AND later.kind = a.kind AND later.id <> a.id
    AND later.last_seen_at > a.last_seen_at
  WHERE ${alert.as('a').equal({ tenantId: p.tenantId, businessId: p.businessId, id: p.id })}`,
);

/** Returns the accepted states of a subscription, or null if it is one of an applicant. */
export async function acceptedStates(tx: Transaction, id: string): Promise<Accepted | null> {
  return (await tx.run(find, { tenantId: tx.tenantId!, id }))[0]?.accepted ?? null;
}

export async function setAccepted(tx: Transaction, id: string, accepted: Accepted): Promise<void> {
  await tx.run(set, { tenantId: tx.tenantId!, id, accepted });
}

type Found = Pick<Alert, 'id' | 'subscriptionId' | 'businessId' | 'kind' | 'stateAfter'>;

/**
 * Accepts the state that an alert has found, because a person has dismissed or resolved it. A state that another alert
 * has overtaken is not accepted, and an alert about something else accepts nothing.
 */
export async function acceptFound(tx: Transaction, found: Found, at: BusinessTime): Promise<void> {
  const { id, subscriptionId, businessId, stateAfter } = found;
  const check = STATE_CHECKS.find((one) => one === found.kind);
  if (check === undefined || businessId === null || stateAfter === null) return;
  const accepted = await acceptedStates(tx, subscriptionId);
  if (accepted === null || (await tx.count(hasLater, { tenantId: tx.tenantId!, businessId, id })) > 0) return;
  await setAccepted(tx, subscriptionId, { ...accepted, [check]: { state: stateAfter, at: at.toISOString() } });
}
