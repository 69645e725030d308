import { defineConfig } from 'vitest/config';

/** Needs a running service: `COMPLIANCE_LIVE=../../.data/demo.json npm run test:live`. */
export default defineConfig({
  test: { root: import.meta.dirname, include: ['test/live.test.ts'], testTimeout: 20_000 },
});
