/**
 * Periodic jobs of this module by the real clock, registered by its index: following lists, writing to compliance
 * officers, and counting applicants who cannot be compared. Work that follows the clock of an environment is in
 * dates.ts.
 */
import { MINUTE_SECONDS } from '../../base/time.ts';
import type { Job, JobServices } from '../../tasks/job.ts';
import { forEachTenant } from '../../tasks/store.ts';
import { followLists } from './follow-lists.ts';
import type { MonitoringAlarm } from './monitoring-alarm.ts';
import { notifyOfAlerts } from './notify-of-alerts.ts';

type Needed = JobServices &
  Parameters<typeof followLists>[0] &
  Parameters<typeof notifyOfAlerts>[0] & { readonly monitoringAlarm: MonitoringAlarm };

export const jobs: readonly Job<Needed>[] = [
  {
    name: 'monitoring.tell',
    everySeconds: MINUTE_SECONDS,
    run: ({ services, signal }) => forEachTenant(services.database, signal, ({ id }) => notifyOfAlerts(services, id)),
  },
  {
    name: 'monitoring.check',
    everySeconds: 10 * MINUTE_SECONDS,
    run: ({ services: { database, monitoringAlarm }, signal }) => monitoringAlarm.check(database, signal),
  },
  { name: 'monitoring.lists', everySeconds: 5, run: ({ services, signal }) => followLists(services, signal) },
];
