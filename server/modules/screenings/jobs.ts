import { MINUTE_SECONDS } from '../../base/time.ts';
import type { Job, JobServices } from '../../tasks/job.ts';
import type { ListAlarm } from './list-alarm.ts';

export const jobs: readonly Job<JobServices & { readonly listAlarm: ListAlarm }>[] = [
  { name: 'lists.check', everySeconds: 10 * MINUTE_SECONDS, run: ({ services: { database, listAlarm, clock } }) => listAlarm.check(database, clock()) },
];
