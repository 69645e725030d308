/**
 * Compares a business with the states that were accepted last, and follows the last days of its powers. Called by runs
 * and by the periodic work, and as listeners in the transaction that changes owners, powers or the answer of the
 * registry. No other code raises or resolves alerts about a business without a person.
 */
import { createHash } from 'node:crypto';
import { addMilliseconds, DAY_MILLISECONDS } from '../../base/time.ts';
import type { Transaction } from '../../database/index.ts';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import { type Business, findBusiness, readStructure, statesOf } from '../businesses/index.ts';
import { endingPowers } from '../powers/index.ts';
import type { SubjectEvent, SubjectListener, When } from '../subject-events/index.ts';
import {
  type AcceptedState,
  acceptedStates,
  currentSubscription,
  noted,
  raise,
  type Raised,
  resolveAllBut,
  setAccepted,
  type Severity,
  STATE_CHECKS,
  type StateCheck,
  type Subscription,
} from '../subscriptions/index.ts';
import { decidedWarnings } from './business-store.ts';

/** Days before its last day at which a power is warned of first. */
const FIRST_WARNING_DAYS = 60;
/** The other distances, nearest first, with the severities of their warnings. */
const DISTANCES = [
  [-1, 'high'],
  [7, 'medium'],
  [30, 'low'],
  [FIRST_WARNING_DAYS, 'info'],
] as const;

/** Returns the active subscription of a business, or null. */
async function activeSubscription(tx: Transaction, businessId: string): Promise<Subscription | null> {
  const found = await currentSubscription(tx, { kind: 'business', id: businessId });
  return found?.status === 'active' ? found : null;
}

function keyOf(...parts: readonly string[]): Buffer {
  return createHash('sha256').update(parts.join('\n')).digest();
}

/**
 * Raises an alert for each watched state that differs from the accepted one, and resolves those about other states.
 * Returns the checks that differ. A difference that lasts keeps its alert. One that has ended and returns is another
 * alert, and so is one of before the last acceptance, so that a dismissal silences no later difference. A first answer
 * of the registry that confirms the approval is accepted. The caller holds the lock on the business.
 */
export async function compareStates(tx: Transaction, businessId: string, when: When): Promise<StateCheck[]> {
  const subscription = await activeSubscription(tx, businessId);
  const accepted = subscription === null ? null : await acceptedStates(tx, subscription.id);
  if (subscription === null || accepted === null) return [];
  const { id: subscriptionId, environment } = subscription;
  const states = statesOf(await readStructure(tx, businessId));
  const watched = STATE_CHECKS.filter((check) => subscription.checks.includes(check));
  const compared = watched.map((check) => ({ check, ...compare(accepted[check], states[check], when) }));
  const now = Object.fromEntries(compared.map(({ check, after }) => [check, after]));
  if (compared.some(({ check, after }) => after !== accepted[check]))
    await setAccepted(tx, subscriptionId, { ...accepted, ...now });
  const differing: StateCheck[] = [];
  for (const { check, after, differs } of compared) {
    const { state, at, ended = 0 } = after;
    // The first difference has the key that it had before ended ones were counted.
    const dedupeKey = keyOf(check, at, state, states[check], ...(ended === 0 ? [] : [String(ended)]));
    resolveAllBut(tx, businessId, check, differs ? [dedupeKey] : []);
    if (!differs) continue;
    differing.push(check);
    const change = { stateBefore: state, stateAfter: states[check] };
    const finding = { kind: check, severity: severityOf(check, states[check]), ...change };
    await raise(
      tx,
      {
        ...finding,
        subscriptionId,
        environment,
        businessId,
        dedupeKey,
      },
      when,
    );
  }
  return differing;
}

/** Returns the accepted state after a comparison with the state of now, and whether that is another one. */
function compare(accepted: AcceptedState, state: string, { at }: When): { after: AcceptedState; differs: boolean } {
  if (isConfirmed(accepted.state, state)) return { after: { state, at: at.toISOString() }, differs: false };
  const differs = accepted.state !== state;
  return { after: noted(accepted, differs ? state : null), differs };
}

/** Returns whether the first answer of a registry confirms what was approved without it. */
function isConfirmed(before: string, after: string): boolean {
  return before === 'not_asked' && after === 'active';
}

function severityOf(check: StateCheck, after: string): Severity {
  if (check === 'ownership_change') return 'medium';
  return after === 'active' ? 'low' : 'high';
}

/**
 * Returns the severity of the warning of a power, or null if nobody is warned yet. The power counts on its last day, so
 * it has ended only after it.
 */
function severityOfWarning(validUntil: string, at: When['at']): Severity | null {
  const near = DISTANCES.find(([days]) => validUntil <= dayIn(days, at));
  return near === undefined ? null : near[1];
}

function dayIn(days: number, at: When['at']): string {
  return calendarDate(addMilliseconds(at, days * DAY_MILLISECONDS));
}

/**
 * Warns of the powers of a business that end soon or have ended since it is monitored, and resolves warnings whose
 * cause is gone: the power was revoked or superseded, or a nearer warning exists. A warning that a person has resolved
 * is not raised again. The caller holds the lock on the business.
 */
export async function followPowers(tx: Transaction, business: Business, when: When): Promise<Raised[]> {
  const subscription = await activeSubscription(tx, business.id);
  if (subscription === null || !subscription.checks.includes('power_expiry')) return [];
  const [today, until] = [calendarDate(when.at), dayIn(FIRST_WARNING_DAYS, when.at)];
  // A power that had ended before was known to whoever approved the business.
  const ending = (await endingPowers(tx, business, { today, until })).filter(
    ({ noticedAt }) => noticedAt === null || noticedAt >= subscription.createdAt,
  );
  const warnings = ending.map(({ id, validUntil }) => {
    const severity = severityOfWarning(validUntil, when.at)!;
    const dedupeKey = keyOf('power', id, validUntil, severity);
    return {
      powerId: id,
      dueOn: validUntil,
      severity,
      dedupeKey,
    };
  });
  const keys = warnings.map(({ dedupeKey }) => dedupeKey);
  resolveAllBut(tx, business.id, 'power_expiry', keys);
  const decided = await decidedWarnings(tx, business.id);
  const raised: Raised[] = [];
  for (const warning of warnings) {
    if (decided.has(warning.dedupeKey.toString('hex'))) continue;
    const { id: subscriptionId, environment } = subscription;
    const finding = {
      ...warning,
      kind: 'power_expiry' as const,
      subscriptionId,
      environment,
    };
    const one = await raise(tx, { ...finding, businessId: business.id }, when);
    if (one !== null) raised.push(one);
  }
  return raised;
}

type OfStates = 'ownership.replaced' | 'registry.answered';
type OfPowers = 'power.changed' | 'power.expired';

const hearStates = (tx: Transaction, { subject, at, now }: SubjectEvent<OfStates>): Promise<unknown> =>
  compareStates(tx, subject.id, { at, now });

const hearPowers = async (tx: Transaction, { subject, at, now }: SubjectEvent<OfPowers>): Promise<void> => {
  const found = await findBusiness(tx, subject.id);
  if (found === null) return;
  const { erasedAt: _, ...business } = found;
  await followPowers(tx, business, { at, now });
};

/** Alerts follow owners, powers and answers of the registry, whose publishers hold the lock on the business. */
export const businessListeners: readonly SubjectListener<OfStates | OfPowers>[] = [
  // After the module company-registry, which compares the new owners with its answer: modules are listed by name.
  { event: 'ownership.replaced', hear: hearStates },
  { event: 'registry.answered', hear: hearStates },
  { event: 'power.changed', hear: hearPowers },
  { event: 'power.expired', hear: hearPowers },
];
