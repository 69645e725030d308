import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { limits } from '../scripts/test/limits.ts';

/**
 * Files that replace a module of the service or of Node, and so would change what others in their process see; and one that looks at every
 * statement that is defined, and must not see those of other tests.
 */
const ISOLATED = ['server/database/stores.test.ts', 'server/rules/password-hash.test.ts', 'test/api/auth-attacks.test.ts', 'test/api/deprecation.test.ts', 'test/api/full-disk.test.ts'];
const INCLUDED = ['server/**/*.test.ts', 'scripts/**/*.test.ts', 'test/**/*.test.ts'];
/** The browser tests, the samples and the shared behaviour of the SDKs have configurations of their own. */
const EXCLUDED = [...configDefaults.exclude, 'test/browser/**', 'test/samples/**', 'test/sdk/**'];

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    globalSetup: ['test/support/recordings.ts', 'test/support/global-setup.ts'],
    setupFiles: ['test/support/seed.ts'],
    // Processes, not threads: tests start servers, change environments and are killed with them.
    pool: 'forks',
    maxWorkers: 2,
    // Commands that tests start compile a source once per change of it, and not once per start; a test that gives them an environment names it.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url)) },
    ...limits,
    projects: [
      // A process reads the service and compiles the contract once for all its files.
      { test: { name: 'service', isolate: false, include: INCLUDED, exclude: [...EXCLUDED, ...ISOLATED] } },
      { test: { name: 'isolated', include: ISOLATED } },
    ],
  },
});
