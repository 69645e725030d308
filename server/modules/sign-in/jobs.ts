import { HOUR_SECONDS } from '../../base/time.ts';
import type { Job } from '../../tasks/job.ts';
import { purgeCredentials, purgeThrottle } from './purge-store.ts';

export const jobs: readonly Job[] = [
  {
    name: 'throttle.purge',
    everySeconds: HOUR_SECONDS,
    run: ({ services: { database, clock } }) => purgeThrottle(database, clock()),
  },
  {
    name: 'credentials.purge',
    everySeconds: HOUR_SECONDS,
    run: ({ services: { database, clock } }) => purgeCredentials(database, clock()),
  },
];
