import { inject } from 'vitest';

/** The service of this worker, whose files run one after the other: its tenant has one sandbox switch. */
export const { baseUrl, demo, listAdministrators, secondAdministrator } = inject('services')[Number(process.env['VITEST_POOL_ID']) - 1]!;
