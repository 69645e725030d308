import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['server/**/*.test.ts', 'scripts/**/*.test.ts', 'test/**/*.test.ts'],
    // The browser tests and the shared behaviour of the SDKs have configurations of their own.
    exclude: ['test/browser/**', 'test/samples/**', 'test/sdk/**'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/seed.ts'],
    // Processes, not threads: tests start servers, change environments and are killed with them.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
