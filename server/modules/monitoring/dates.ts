/**
 * Periodic work of monitoring by the clock of each environment: runs at intervals, ended pauses, documents and reviews
 * that are near, customers without a subscription. Registered by the index as due work and run by the layer tasks and
 * by moves of the sandbox clock. Works in batches; what is left follows in the next round.
 */
import { appendAudit } from '../../audit/chain.ts';
import { type BusinessTime, MINUTE_SECONDS, type RealTime } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import type { Due, Effect } from '../../tasks/due.ts';
import { APPROVAL } from '../applications/index.ts';
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
      ...(await runDue(tx, when)),
      ...(await catchUp(tx, when)),
      ...(await warn(tx, when)),
    ];
  },
};

const of = (id: string) => ({ type: 'monitoring_subscription', id }) as const;

/** Subscribes every customer who is not monitored, whenever the customer was approved. */
async function begin(tx: Transaction, { environment, at, now }: When): Promise<Effect[]> {
  const effects: Effect[] = [];
  for (const applicationId of await unwatchedCustomers(tx, environment)) {
    const id = await subscribe(tx, {
      environment,
      applicationId,
      createdBy: APPROVAL,
      at,
      now,
    });
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
