/**
 * Statements about the states of a business that people accepted last: at its approval, or with an alert that they
 * dismissed or resolved. Used by this module and, through the index, by businesses and monitoring. A state that is
 * accepted without a person goes unnoticed.
 */
import type { BusinessTime } from '../../base/time.ts';
import { sql, statement, type Transaction } from '../../database/index.ts';
import type { Alert } from './alert-store.ts';
import { type Accepted, STATE_CHECKS, type States } from './states.ts';
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

/** Returns the accepted states of a subscription, or null if it is one of an applicant. */
export async function acceptedStates(tx: Transaction, id: string): Promise<Accepted | null> {
  return (await tx.run(find, { tenantId: tx.tenantId!, id }))[0]?.accepted ?? null;
}

export async function setAccepted(tx: Transaction, id: string, accepted: Accepted): Promise<void> {
  await tx.run(set, { tenantId: tx.tenantId!, id, accepted });
}

type Found = Pick<Alert, 'subscriptionId' | 'kind' | 'stateAfter'>;

/**
 * Accepts the state that an alert has found, because a person has dismissed or resolved it. A state that the business
 * has left since is not accepted, and an alert about something else accepts nothing. `states` are those of now, so the
 * caller holds the lock on the business.
 */
export async function acceptFound(
  tx: Transaction,
  { subscriptionId, kind, stateAfter }: Found,
  { states, at }: { readonly states: States; readonly at: BusinessTime },
): Promise<void> {
  const check = STATE_CHECKS.find((one) => one === kind);
  if (check === undefined || stateAfter === null || states[check] !== stateAfter) return;
  const accepted = await acceptedStates(tx, subscriptionId);
  if (accepted === null) return;
  await setAccepted(tx, subscriptionId, { ...accepted, [check]: { state: stateAfter, at: at.toISOString() } });
}
