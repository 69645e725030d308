import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/browser/support/global-setup.ts'],
    // Each worker has a service of its own (support/service.ts).
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 90_000,
    // What is waited for comes when a small machine has the time.
    expect: { poll: { timeout: 20_000 } },
  },
});
