/** Configuration of the tests of service and scripts. Read by vitest, which `make test` and `make quick` start. */
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { limits } from '../scripts/test/limits.ts';
import { ISOLATED } from './support/isolated.ts';

const INCLUDED = ['server/**/*.test.ts', 'scripts/**/*.test.ts', 'test/**/*.test.ts'];
/** The browser tests, the samples and the shared behaviour of the SDKs have configurations of their own. */
const EXCLUDED = [...configDefaults.exclude, 'test/browser/**', 'test/samples/**', 'test/sdk/**'];

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    globalSetup: ['test/support/recordings.ts', 'test/support/global-setup.ts'],
    setupFiles: ['test/support/seed.ts', 'test/support/chosen-rows.ts'],
    // Processes, not threads: tests start servers, change environments and are killed with them.
    pool: 'forks',
    maxWorkers: 2,
    // Commands that tests start compile a source once per change of it, and not once per start; a test that gives them
    // an environment names it.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url)) },
    ...limits,
    projects: [
      // A process reads the service and compiles the contract once for all its files.
      {
        test: {
          name: 'service',
          isolate: false,
          experimental: { viteModuleRunner: false },
          // What test files keep in their variables stays until the process ends, some megabytes for each of hundreds.
          execArgv: ['--max-old-space-size=6144'],
          include: INCLUDED,
          exclude: [...EXCLUDED, ...ISOLATED],
        },
      },
      { test: { name: 'isolated', include: [...ISOLATED] } },
    ],
  },
});
