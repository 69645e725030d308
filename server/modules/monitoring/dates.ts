/**
 * Periodic work of monitoring by the clock of each environment: runs at intervals, ended pauses, documents, reviews and
 * powers that are near, customers without a subscription. Registered by the index as due work and run by the layer
 * tasks and by moves of the sandbox clock. Works in batches; what is left follows in the next round.
 */
import { appendAudit } from '../../audit/chain.ts';
import { type BusinessTime, MINUTE_SECONDS, type RealTime } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import { unlessErased } from '../../rules/subject.ts';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import type { Due, Effect } from '../../tasks/due.ts';
import { APPROVAL } from '../applications/index.ts';
import { beginMonitoring, lockBusiness, readStructure, unwatchedBusinesses } from '../businesses/index.ts';
import {
  requestRun,
  DUE_AT_ONCE,
  dueSubscriptions,
  MONITORING,
  raise,
  subscribe,
  updateSubscription,
} from '../subscriptions/index.ts';
import { considerRehearsal } from './algorithm.ts';
import { BUSINESSES_AT_ONCE, businessesToWarn } from './business-store.ts';
import { followPowers } from './compare-business.ts';
import { requestOutdatedRuns } from './comparison-store.ts';
import { comingDates, resolvePastWarnings, unwatchedCustomers } from './dates-store.ts';

interface When {
  readonly environment: Environment;
  readonly at: BusinessTime;
  readonly now: RealTime;
}

/**
 * Processes what is due: runs at intervals, outdated comparisons, ended pauses, documents and reviews that are near,
 * and customers without a subscription.
 */
export const monitoringDue: Due = {
  name: 'monitoring.due',
  everySeconds: 5 * MINUTE_SECONDS,
  atOnce: DUE_AT_ONCE,
  run: async (tx, { environment, businessTime: at, now }) => {
    const when = { environment, at, now };
    return [
      ...(await begin(tx, when)),
      // Businesses are locked before subscriptions, as by runs.
      ...(await warnOfPowers(tx, when)),
      ...(await runDue(tx, when)),
      ...(await catchUp(tx, when)),
      ...(await warn(tx, when)),
    ];
  },
};

const of = (id: string) => ({ type: 'monitoring_subscription', id }) as const;

/** Subscribes every customer who is not monitored, whenever approved. A business is compared from now on. */
async function begin(tx: Transaction, { environment, at, now }: When): Promise<Effect[]> {
  const effects: Effect[] = [];
  for (const applicationId of await unwatchedCustomers(tx, environment)) {
    const id = await subscribe(tx, {
      environment,
      subject: { kind: 'application', id: applicationId },
      createdBy: APPROVAL,
      at,
      now,
    });
    if (id !== null) effects.push({ resource: of(id), change: 'subscribed' });
  }
  for (const businessId of await unwatchedBusinesses(tx, environment, BUSINESSES_AT_ONCE)) {
    const structure = await readStructure(tx, businessId);
    const id = await beginMonitoring(tx, { id: businessId, environment }, structure, { at, now });
    if (id !== null) effects.push({ resource: of(id), change: 'subscribed' });
  }
  return effects;
}

async function runDue(tx: Transaction, { environment, at, now }: When): Promise<Effect[]> {
  const due = await dueSubscriptions(tx, environment, at);
  for (const { id, status, checks, intervalDays } of due) {
    if (status === 'active') {
      await requestRun(tx, [id], 'interval', now);
      continue;
    }
    await updateSubscription(
      tx,
      id,
      {
        checks,
        intervalDays,
        status: 'active',
        pauseReason: null,
        pauseUntil: null,
        nextRunAt: null,
      },
      at,
    );
    appendAudit(tx, {
      occurredAt: now.toISOString(),
      environment,
      actor: { ...MONITORING, impersonatorId: null },
      action: 'monitoring.resumed',
      resource: of(id),
      outcome: 'success',
    });
    // Lists may have changed during the pause.
    await requestRun(tx, [id], 'resumed', now);
  }
  return due.map(({ id, status }) => ({
    resource: of(id),
    change: status === 'active' ? 'a run is due' : 'status paused to active',
  }));
}

/** Queues runs for subscriptions whose last comparison is outdated. */
async function catchUp(tx: Transaction, { environment, now }: When): Promise<Effect[]> {
  await considerRehearsal(tx, environment, now);
  return (await requestOutdatedRuns(tx, environment, DUE_AT_ONCE, now)).map((id) => ({
    resource: of(id),
    change: 'a run is due',
  }));
}

async function warn(tx: Transaction, { environment, at, now }: When): Promise<Effect[]> {
  const effects: Effect[] = [];
  for (const { kind, date } of await comingDates(tx, environment, calendarDate(at))) {
    const raised = await raise(tx, { ...date, environment, kind }, { at, now });
    if (raised !== null)
      effects.push({
        resource: { type: 'monitoring_alert', id: raised.alertId },
        change: `raised: ${kind} on ${date.dueOn}`,
      });
  }
  resolvePastWarnings(tx, environment);
  return effects;
}

/** Before the id of every business. */
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Warns of powers that end soon. A power that another has superseded is found by every round and causes no warning, so
 * the round goes through all that are found.
 */
async function warnOfPowers(tx: Transaction, { environment, at, now }: When): Promise<Effect[]> {
  const effects: Effect[] = [];
  const today = calendarDate(at);
  for (let after = FIRST; effects.length < DUE_AT_ONCE; ) {
    const ids = await businessesToWarn(tx, environment, { today, after });
    for (const businessId of ids) {
      const business = unlessErased(await lockBusiness(tx, businessId));
      if (business === null) continue;
      for (const { alertId } of await followPowers(tx, business, { at, now }))
        effects.push({ resource: { type: 'monitoring_alert', id: alertId }, change: 'raised: power_expiry' });
    }
    if (ids.length < BUSINESSES_AT_ONCE) break;
    after = ids.at(-1)!;
  }
  return effects;
}
