/** Hourly jobs that delete expired rows of the sign-in. Registered by the index. */
import { HOUR_SECONDS } from '../../base/time.ts';
import type { Job } from '../../tasks/job.ts';
import { purgeCredentials, purgeThrottle } from './purge-store.ts';

export const jobs: readonly Job[] = [
  // Deletes old counters of failed sign-ins and of sent mails, and old known locations.
  {
    name: 'throttle.purge',
    everySeconds: HOUR_SECONDS,
    run: ({ services: { database, clock } }) => purgeThrottle(database, clock()),
  },
  // Deletes expired password resets and enrolments of second factors, and sessions that ended months ago.
  {
    name: 'credentials.purge',
    everySeconds: HOUR_SECONDS,
    run: ({ services: { database, clock } }) => purgeCredentials(database, clock()),
  },
];
