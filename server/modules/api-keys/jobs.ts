import { MINUTE_SECONDS } from '../../base/time.ts';
import type { Job } from '../../tasks/job.ts';
import { forEachTenant } from '../../tasks/store.ts';
import { expireKeys } from './expire-keys.ts';

export const jobs: readonly Job[] = [
  {
    name: 'keys.expire',
    everySeconds: 5 * MINUTE_SECONDS,
    run: ({ services: { database, clock }, signal }) => forEachTenant(database, signal, ({ id }) => expireKeys(database, id, clock(), signal)),
  },
];
