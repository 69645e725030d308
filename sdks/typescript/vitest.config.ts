import { defineConfig } from 'vitest/config';

/** The live suite needs a running service: `COMPLIANCE_LIVE='{"baseUrl":…}' npm test`. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: process.env['COMPLIANCE_LIVE'] === undefined ? ['test/*.test.ts'] : ['test/**/*.test.ts'],
    exclude: process.env['COMPLIANCE_LIVE'] === undefined ? ['test/live.test.ts'] : [],
    testTimeout: 10_000,
  },
});
