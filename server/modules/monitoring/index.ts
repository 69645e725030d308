/**
 * Monitoring: approved applicants are looked at again when a list changes, when a document ends, and when they are due for review.
 *
 * `follow-lists.ts` notices that a version of a list has become active and finds, for each tenant, whom it may concern (`monitored-subjects.ts`, an index of all of them, searched the other way round);
 * `comparison-store.ts` says what everybody is to be compared with now, and `catch-up.ts` asks for whoever was compared with less; `algorithm.ts` rehearses what another algorithm would find, and releases it;
 * `rescreen.ts` is the task that screens one of them again, which brings the alerts to the state of the hits, and writes the run down; `dates.ts` does what falls due: runs at intervals, pauses that end, documents and
 * reviews, and applicants whom nobody watches. `tell-of-alerts.ts` writes to those who answer for compliance. `change-subscription.ts` and `triage.ts` are what people do, `coverage-store.ts` says who is not watched, and `monitoring-alarm.ts` who cannot be compared. It may use applications, screenings,
 * subscriptions, tenant-settings, watch-lists, own-lists, identity, request, tasks, database and rules.
 *
 * A version of a list: the importer commits it, the job `monitoring.lists` waits until the engine has loaded it, asks for each entry that names are judged otherwise by whose name it may be, and
 * asks for a run of these subscriptions and of those that the entry was a hit of before. The task of each compares the applicant with the whole list, as any screening does.
 */
import type { Module } from '../../tasks/module.ts';
import { rehearseTask } from './algorithm.ts';
import { catchUpTask } from './catch-up.ts';
import { monitoringDue } from './dates.ts';
import { monitoringHandlers } from './handlers.ts';
import { jobs } from './jobs.ts';
import { rescreenTask } from './rescreen.ts';

export { algorithm } from './algorithm-store.ts';
export { listSet } from './followed-store.ts';
export { MonitoredSubjects } from './monitored-subjects.ts';
export { MonitoringAlarm } from './monitoring-alarm.ts';
export { runSubscription } from './rescreen.ts';

export const monitoringModule = {
  name: 'monitoring',
  handlers: monitoringHandlers,
  dues: [monitoringDue],
  tasks: [catchUpTask, rehearseTask, rescreenTask],
  jobs,
} satisfies Module<never>;
