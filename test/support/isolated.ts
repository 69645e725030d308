/**
 * Test files that run in a process of their own: one that imports components of the dashboard, whose files Node does
 * not read by itself; those that replace a module of the service or of Node, which would
 * affect other tests in the process; one that inspects every defined statement, and must not see those of other tests;
 * and one that compiles validators, and must not find those of other tests. Read by test/vitest.config.ts and `make
 * quick`.
 */
export const ISOLATED: readonly string[] = [
  'server/database/stores.test.ts',
  'server/pages/settings-page.test.ts',
  'server/rules/password-hash.test.ts',
  'test/api/auth-attacks.test.ts',
  'test/api/deprecation.test.ts',
  'test/api/full-disk.test.ts',
  'test/contract/cached-validators.test.ts',
];
