/**
 * Periodic jobs of this module, registered by its index: deleting files that no document names, and sealing files from
 * before sealing was introduced. Both may be cut off by a shutdown and continue in the next run.
 */
import { HOUR_SECONDS } from '../../base/time.ts';
import type { Services } from '../../request/services.ts';
import type { Job } from '../../tasks/job.ts';
import { EVERY_STATUS, forEachTenant } from '../../tasks/store.ts';
import { sweepFiles } from './file-store.ts';
import { sealFiles } from './stored-file.ts';

export const jobs: readonly Job<Pick<Services, 'database' | 'log' | 'clock' | 'files'>>[] = [
  {
    name: 'files.sweep',
    everySeconds: HOUR_SECONDS,
    run: ({ services: { database, files, clock } }) => sweepFiles(database, files, clock()),
  },
  {
    name: 'files.seal',
    everySeconds: HOUR_SECONDS,
    run: ({ services: { database, files, clock }, signal }) =>
      forEachTenant(
        database,
        signal,
        ({ id: tenantId }) => sealFiles(database, files, { tenantId, now: clock(), signal }),
        EVERY_STATUS,
      ),
  },
];
