/** The service of this worker, as the global setup has started it. Used by all helpers of the browser tests. */
import { inject } from 'vitest';

/** Service of this worker. Its files run one after the other, because its tenant has one sandbox switch. */
export const { baseUrl, demo, listAdministrators, secondAdministrator } =
  inject('services')[Number(process.env['VITEST_POOL_ID']) - 1]!;
