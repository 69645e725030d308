/**
 * Periodic jobs of the feed, registered by the index of the module: checking for holes, sampling, and detecting that
 * the database was restored from a backup.
 */
import { HOUR_SECONDS, MINUTE_SECONDS } from '../../base/time.ts';
import type { Services } from '../../request/services.ts';
import type { Job } from '../../tasks/job.ts';
import { forEachTenant } from '../../tasks/store.ts';
import type { FeedAlarm } from './feed-alarm.ts';
import { checkFeed, sampleFeeds } from './health.ts';
import { checkFeedMarker } from './restored.ts';

export const jobs: readonly Job<
  Pick<Services, 'database' | 'log' | 'clock' | 'config'> & { readonly feedAlarm: FeedAlarm }
>[] = [
  {
    name: 'feed.check',
    everySeconds: HOUR_SECONDS,
    run: ({ services: { database, feedAlarm }, signal }) =>
      forEachTenant(database, signal, ({ id }) => checkFeed(database, id, feedAlarm)),
  },
  {
    name: 'feed.sample',
    everySeconds: MINUTE_SECONDS,
    run: ({ services: { database, feedAlarm, clock }, signal }) =>
      sampleFeeds(database, feedAlarm, clock(), (work) => forEachTenant(database, signal, work)),
  },
  {
    name: 'feed.marker',
    everySeconds: 10,
    run: ({
      services: {
        database,
        log,
        config: { dataDir },
      },
      signal,
    }) => checkFeedMarker({ database, log, dataDir }, signal),
  },
];
