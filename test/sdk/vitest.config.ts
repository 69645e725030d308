/** Configuration of the tests of both SDKs. Read by vitest, which a step of `make test` starts. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { limits } from '../../scripts/test/limits.ts';

/**
 * Tests of what both SDKs must do alike. The files run one after the other, because each drives clients in several
 * processes already.
 */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/sdk/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/seed.ts'],
    pool: 'forks',
    fileParallelism: false,
    maxConcurrency: process.env['SOAK'] === 'true' ? 2 : 5,
    ...limits,
    ...(process.env['SOAK'] === 'true' && { testTimeout: 3_600_000 }),
  },
});
