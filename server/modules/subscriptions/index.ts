/**
 * Subscriptions: which applicants are monitored, the runs of each subscription, and the alerts that they have raised.
 * The module stores these records and their rules, and knows neither how an applicant is screened (screenings) nor when
 * (monitoring): applications creates a subscription with an approval and ends it with the relationship, screenings
 * brings alerts in line with their hits, and monitoring does the rest.
 *
 * The module may use subject-keys, subject-events, tasks, audit, request, rules and database.
 *
 * An approval: applications updates the row, and `subscribe` adds a subscription that waits for its first run, with the
 * task that runs it. An erasure: `endSubscriptions` ends it in the same transaction, and `closeAlerts` resolves its
 * open alerts.
 */
import type { Module } from '../../tasks/module.ts';
import { alertWork } from './work.ts';

export {
  type Alert,
  alert,
  alertColumns,
  type AlertKind,
  type AlertRow,
  type AlertStatus,
  closeAlerts,
  dedupeKeyOf,
  openedAlert,
  recordTriage,
  resolveAlerts,
  type Severity,
  takeUnannounced,
} from './alert-store.ts';
export { putIntoCase, resolveAlertsOfCase } from './alert-case-store.ts';
export { subscriptionLookups } from './lookup.ts';
export { MONITORING, raise, type Raised } from './raise.ts';
export { addRun, listRuns, type Run } from './run-store.ts';
export {
  ALL_CHECKS,
  type Check,
  type Comparison,
  type EndReason,
  endSubscriptions,
  findSubscription,
  insertSubscription,
  LIST_CHECKS,
  lockSubscription,
  own as subscriptionColumns,
  type Rehearsal,
  RESCREEN,
  currentSubscription,
  subscribe,
  type Subscription,
  subscription,
  updateSubscription,
  type Waiting,
} from './store.ts';
export { requestRun, DUE_AT_ONCE, dueSubscriptions, endRun, hurryRun } from './waiting-run-store.ts';

export const subscriptionsModule = { name: 'subscriptions', work: alertWork } satisfies Module<never>;
