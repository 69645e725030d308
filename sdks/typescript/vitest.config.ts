/**
 * Configuration of the tests of the package without a service. Read by vitest, which `make test` and `make quick`
 * start.
 */
import { defineConfig } from 'vitest/config';
import { limits } from '../../scripts/test/limits.ts';

/** Everything but the live suite, which needs a running service (vitest.live.config.ts). */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['test/*.test.ts'],
    exclude: ['test/*live.test.ts'],
    globalSetup: ['test/support/packages.ts'],
    ...limits,
  },
});
