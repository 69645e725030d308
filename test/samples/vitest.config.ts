/** Configuration of the samples and guides. Read by vitest, which a step of `make test` starts. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { limits } from '../../scripts/test/limits.ts';

/** Runs what the reference, the explorer and the guides show, as a reader would. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/samples/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts', 'test/samples/support/desk.ts'],
    setupFiles: ['test/support/seed.ts'],
    pool: 'forks',
    fileParallelism: false,
    ...limits,
  },
});
