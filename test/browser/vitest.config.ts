/** Configuration of the browser tests. Read by vitest, which `make test` and `make quick` start. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { limits } from '../../scripts/test/limits.ts';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/browser/support/global-setup.ts'],
    // Each worker has a service of its own (support/service.ts).
    maxWorkers: 2,
    ...limits,
  },
});
