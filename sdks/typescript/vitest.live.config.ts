/** Configuration of the tests against a running service. Read by vitest, which a step of `make test` starts. */
import { defineConfig } from 'vitest/config';
import { limits } from '../../scripts/test/limits.ts';

/**
 * Needs the built package and a running service: `COMPLIANCE_LIVE=../../.data/demo.json npm run test:live`.
 * The files share its tenant.
 */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['test/*live.test.ts'],
    fileParallelism: false,
    ...limits,
  },
});
