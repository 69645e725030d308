/**
 * Periodic deletion of old events and pages, registered by the index of the module. Runs for tenants of every status,
 * because retention ends for suspended tenants, too.
 */
import { HOUR_SECONDS } from '../../base/time.ts';
import type { Job } from '../../tasks/job.ts';
import { EVERY_STATUS, forEachTenant } from '../../tasks/store.ts';
import { purgeFeed, purgeInbox } from './purge.ts';

export const jobs: readonly Job[] = [
  {
    name: 'feed.purge',
    everySeconds: HOUR_SECONDS,
    run: ({ services: { database }, signal }) =>
      forEachTenant(database, signal, ({ id }) => purgeFeed(database, id, signal), EVERY_STATUS),
  },
  {
    name: 'inbox.purge',
    everySeconds: HOUR_SECONDS,
    run: ({ services: { database, clock }, signal }) =>
      forEachTenant(database, signal, (tenant) => purgeInbox(database, tenant, clock(), signal), EVERY_STATUS),
  },
];
