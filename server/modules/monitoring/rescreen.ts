/**
 * The task that screens one monitored applicant again, or compares one business, and records the run. Registered by the
 * index; simulations of the sandbox call `runSubscription` directly. Waits while lists are being loaded, repeats failed
 * runs, and does nothing for a subscription that was paused or ended meanwhile.
 */
import type { RealTime } from '../../base/time.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { ALGORITHM } from '../../screening/engine/screening-engine.ts';
import { timeIn } from '../../tasks/business-time-store.ts';
import type { TaskKind } from '../../tasks/task.ts';
import { findReadable } from '../applications/index.ts';
import { type LoadedLists, rescreen, type Screened } from '../screenings/index.ts';
import type { When } from '../subject-events/index.ts';
import {
  type Comparison,
  findSubscription,
  lockSubscription,
  MONITORING,
  RESCREEN,
  type Subscription,
  type Waiting,
} from '../subscriptions/index.ts';
import { activeVersions, OWN_LIST } from '../watch-lists/index.ts';
import { beginReleases } from './algorithm-store.ts';
import { type AlertOfRun, alertsOfRun } from './current-hits-store.ts';
import { FAILED, finishRun } from './finish-run.ts';
import { noteCompared } from './followed-store.ts';
import { runBusiness } from './run-business.ts';

/** Delay while the engine loads lists that have just become active. */
const LOADING_MILLISECONDS = 1_000;

/**
 * Runs one subscription: compares the applicant with the current lists, and raises an alert for each undecided hit; or
 * compares the business with what was accepted of it.
 */
export const rescreenTask: TaskKind<{ readonly watchLists: LoadedLists }> = {
  name: RESCREEN.name,
  step: async ({ tx, subjectId, now }, { watchLists }) => {
    const found = await findSubscription(tx, subjectId);
    if (found !== null && found.businessId !== null) {
      await runBusiness(tx, found, now);
      return null;
    }
    const subscription = await lockSubscription(tx, subjectId);
    // The subscription was reset with the sandbox, paused or ended meanwhile.
    if (subscription === null || subscription.status !== 'active' || subscription.waitingFor === null) return null;
    const { environment } = subscription;
    const applicationId = subscription.applicationId!;
    const [application, active, at] = await Promise.all([
      findReadable(tx, { tenantId: tx.tenantId!, id: applicationId }),
      activeVersions(tx, environment),
      timeIn(tx, environment, now),
    ]);
    if (application === null || (application !== 'unreadable' && application.erasedAt !== null)) return null;
    if (!watchLists.isCurrent(environment, active)) return LOADING_MILLISECONDS;
    if (application === 'unreadable') {
      finishRun(tx, subscription, at, FAILED);
      return null;
    }
    try {
      await runSubscription(tx, watchLists, { subscription, application, why: subscription.waitingFor }, { at, now });
    } catch (error) {
      // A list of the settings was never imported. Nothing was written yet, and the failure is recorded so that a
      // person sees it.
      if (!(error instanceof Problem)) throw error;
      finishRun(tx, subscription, at, FAILED);
    }
    return null;
  },
  giveUp: async ({ tx, subjectId, now }) => {
    const subscription = await lockSubscription(tx, subjectId);
    if (subscription !== null && subscription.status === 'active')
      finishRun(tx, subscription, await timeIn(tx, subscription.environment, now), FAILED);
  },
};

/** The applicant to screen, and the locked subscription. */
interface ToRun {
  readonly subscription: Subscription;
  readonly application: Parameters<typeof rescreen>[2];
  readonly why: Waiting;
}

/** A screening by monitoring, with its alerts. */
interface Run extends Screened {
  readonly alerts: readonly AlertOfRun[];
}

/** Runs a subscription. Listeners of the screening have raised its alerts (follow-hits.ts). */
export async function runSubscription(
  tx: Transaction,
  watchLists: LoadedLists,
  { subscription, application, why }: ToRun,
  when: When,
): Promise<Run> {
  const screened = await rescreen(
    {
      tx,
      tenantId: tx.tenantId!,
      by: MONITORING,
      ...when,
    },
    watchLists,
    application,
  );
  const alerts = await alertsOfRun(tx, application.id, screened.id);
  const compared = await comparisonOf(tx, subscription, screened, when.now);
  finishRun(tx, { ...subscription, waitingFor: why }, when.at, {
    result: screened.result,
    screeningId: screened.id,
    newAlerts: alerts.filter(({ isNew }) => isNew).length,
    compared,
  });
  return { ...screened, alerts };
}

/**
 * Returns what a run has compared the applicant with, or null if the subscription has no check by lists. If the tenant
 * has followed a list beyond the searched version, the list counts as not compared, so the subscription is due again.
 */
async function comparisonOf(
  tx: Transaction,
  { environment, checks: all }: Subscription,
  { searched, lines }: Screened,
  now: RealTime,
): Promise<Comparison | null> {
  const checks = all.filter((check) => check === 'sanctions' || check === 'pep');
  if (checks.length === 0) return null;
  const published = searched.filter(({ listId }) => listId !== OWN_LIST);
  const { sequences, isFirst } = await noteCompared(
    tx,
    environment,
    Object.fromEntries(published.map(({ listId, sequence }) => [listId, sequence])),
    now,
  );
  if (isFirst) beginReleases(tx, environment);
  return {
    checks,
    algorithm: ALGORITHM,
    lines,
    ownList: searched.find(({ listId }) => listId === OWN_LIST)?.sequence ?? null,
    lists: published.filter(({ listId, sequence }) => sequence >= (sequences[listId] ?? 0)).map(({ listId }) => listId),
  };
}
