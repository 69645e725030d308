/**
 * Subscriptions: which applicants and businesses are monitored, the runs of each subscription, and the alerts that they
 * have raised. The module stores these records and their rules, and knows neither how an applicant is screened
 * (screenings) nor when (monitoring): applications and businesses create a subscription with an approval and end it
 * with the relationship, and monitoring brings alerts in line with hits and does the rest. `checks.ts` says what is
 * monitored of whom, and `accepted-store.ts` with which state of a business monitoring compares.
 *
 * The module may use subject-keys, subject-events, tasks, audit, request, rules and database.
 *
 * An approval: applications updates the row, and `subscribe` adds a subscription that waits for its first run, with the
 * task that runs it. An erasure: `endSubscriptions` ends it in the same transaction, and `closeAlerts` resolves its
 * open alerts.
 */
import type { Module } from '../../tasks/module.ts';
import { alertWork } from './work.ts';

export { acceptedStates, acceptFound, setAccepted } from './accepted-store.ts';
export {
  type Alert,
  alert,
  alertColumns,
  type AlertKind,
  type AlertRow,
  type AlertStatus,
  dedupeKeyOf,
  openedAlert,
  recordTriage,
  type Severity,
  takeUnannounced,
} from './alert-store.ts';
export { putIntoCase, resolveAlertsOfCase } from './alert-case-store.ts';
export { type Check, CHECKS_OF, isCheckOfRuns } from './checks.ts';
export type { Comparison, Rehearsal } from './comparison.ts';
export { subscriptionLookups } from './lookup.ts';
export { MONITORING, raise, type Raised } from './raise.ts';
export { addRun, listRuns, type Run } from './run-store.ts';
export { closeAlerts, resolveAlerts, resolveAllBut } from './resolved-alert-store.ts';
export { acceptedAt, type AcceptedState, noted, STATE_CHECKS, type StateCheck, type States } from './states.ts';
export {
  type EndReason,
  endSubscriptions,
  findSubscription,
  insertSubscription,
  intervalOf,
  LIST_CHECKS,
  lockSubscription,
  own as subscriptionColumns,
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
