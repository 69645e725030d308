/**
 * Periodic jobs of this module that follow the real clock, registered by its index: today the sealing of applicants
 * that older versions stored in clear. Each job must be safe to repeat, because a run may be cut off by a shutdown.
 */
import { HOUR_SECONDS } from '../../../base/time.ts';
import type { Job } from '../../../tasks/job.ts';
import { EVERY_STATUS, forEachTenant } from '../../../tasks/store.ts';
import { sealApplicants } from './unsealed-store.ts';

export const jobs: readonly Job[] = [
  {
    name: 'applications.seal',
    everySeconds: HOUR_SECONDS,
    run: ({ services: { database, clock }, signal }) =>
      forEachTenant(
        database,
        signal,
        ({ id: tenantId }) => sealApplicants(database, { tenantId, now: clock(), signal }),
        EVERY_STATUS,
      ),
  },
];
