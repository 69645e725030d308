/**
 * The run of a business: asks the registry of its environment again, and compares with what was accepted. Called by the
 * task of rescreen.ts. A registry that does not answer fails the run, which is repeated; without a registry only what
 * is recorded is compared.
 */
import type { RealTime } from '../../base/time.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { unlessErased } from '../../rules/subject.ts';
import { timeIn } from '../../tasks/business-time-store.ts';
import { lockBusiness } from '../businesses/index.ts';
import { askAgain } from '../company-registry/index.ts';
import { lockSubscription, MONITORING, type Subscription } from '../subscriptions/index.ts';
import { raisedAt } from './business-store.ts';
import { compareStates, followPowers } from './compare-business.ts';
import { FAILED, finishRun } from './finish-run.ts';

/** Runs the subscription of a business. Locks the business before the subscription, as everything that changes both. */
export async function runBusiness(
  tx: Transaction,
  { id, businessId }: Pick<Subscription, 'id' | 'businessId'>,
  now: RealTime,
): Promise<void> {
  const business = unlessErased(await lockBusiness(tx, businessId!));
  const subscription = await lockSubscription(tx, id);
  if (business === null || subscription === null) return;
  if (subscription.status !== 'active' || subscription.waitingFor === null) return;
  const at = await timeIn(tx, business.environment, now);
  const when = { at, now };
  let isAsked = true;
  try {
    if (subscription.checks.some((check) => check === 'registry_status' || check === 'ownership_change'))
      ({ isAsked } = await askAgain(tx, business, { by: MONITORING, ...when }));
  } catch (error) {
    // The registry did not answer. Nothing was written yet, and the failure is recorded so that a person sees it.
    if (!(error instanceof Problem)) throw error;
    finishRun(tx, subscription, at, FAILED);
    return;
  }
  // Comparing the new answer was done by the listener already; an answer that says the same is compared here.
  const differing = await compareStates(tx, business.id, when);
  await followPowers(tx, business, when);
  const isUnchanged = isAsked ? 'unchanged' : 'no_registry';
  finishRun(tx, subscription, at, {
    result: differing.length > 0 ? 'changed' : isUnchanged,
    screeningId: null,
    newAlerts: (await raisedAt(tx, business.id, at)).length,
    compared: null,
  });
}
