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
