/**
 * Monitoring: approved applicants are re-screened if a list changes, and alerts are raised if a document expires or a
 * review is due. Approved businesses are compared with what was accepted of them: their situation in the registry,
 * their owners and the last days of their powers.
 *
 * `follow-lists.ts` detects a new active version of a list and finds, for each tenant, the subjects that it may concern
 * (`monitored-subjects.ts`, an index of all subjects that is searched for entities); `comparison-store.ts` defines the
 * wanted comparison of every subscription, and `catch-up.ts` queues runs for incomplete ones; `algorithm.ts` rehearses
 * what another algorithm would find, and releases it; `rescreen.ts` is the task that screens one applicant again and
 * records the run; `follow-hits.ts` hears whatever changes hits, and brings the alerts in line with them; `dates.ts`
 * processes what is due: runs at intervals, ended pauses, documents and reviews, and applicants without a subscription.
 * `run-business.ts` asks the registry about one business, and `compare-business.ts` compares it and hears of new owners
 * and powers; `finish-run.ts` records the end of any run. `notify-of-alerts.ts` writes to the compliance officers.
 * `change-subscription.ts` and `triage.ts` perform the actions of people, `coverage-store.ts` reports who is not
 * monitored, and `monitoring-alarm.ts` who cannot be compared.
 *
 * The module may use applications, businesses, cases, company-registry, powers, screenings, subscriptions,
 * subject-events, tenant-settings, watch-lists, own-lists, identity, request, tasks, database and rules.
 *
 * A version of a list: the importer commits it, the job `monitoring.lists` waits until the engine has loaded it,
 * searches the subjects for each entity whose matching has changed, and queues runs for the subscriptions that it finds
 * and for those that had a hit on the entity before. The task of each run compares the applicant with the whole list,
 * as any screening does.
 */
import type { Module } from '../../tasks/module.ts';
import { rehearseTask } from './algorithm.ts';
import type { SubjectListener } from '../subject-events/index.ts';
import { catchUpTask } from './catch-up.ts';
import { monitoringDue } from './dates.ts';
import { businessListeners } from './compare-business.ts';
import { hitListeners } from './follow-hits.ts';
import { monitoringHandlers } from './handlers.ts';
import { jobs } from './jobs.ts';
import { rescreenTask } from './rescreen.ts';

export { algorithm } from './algorithm-store.ts';
export { changeInterval } from './change-subscription.ts';
export { listSet } from './followed-store.ts';
export { raisedAt } from './business-store.ts';
export { MonitoredSubjects } from './monitored-subjects.ts';
export { MonitoringAlarm } from './monitoring-alarm.ts';
export { runSubscription } from './rescreen.ts';

export const monitoringModule = {
  name: 'monitoring',
  handlers: monitoringHandlers,
  dues: [monitoringDue],
  tasks: [catchUpTask, rehearseTask, rescreenTask],
  jobs,
  listeners: [...hitListeners, ...businessListeners],
} satisfies Module<never, never, SubjectListener>;
