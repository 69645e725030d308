/**
 * Files that replace a module of the service or of Node, and so would change what others in their process see; one that looks at every
 * statement that is defined, and must not see those of other tests; and one that compiles validators, and must not find those of others. Each
 * runs in a process of its own.
 */
export const ISOLATED: readonly string[] = [
  'server/database/stores.test.ts', 'server/rules/password-hash.test.ts', 'test/api/auth-attacks.test.ts', 'test/api/deprecation.test.ts',
  'test/api/full-disk.test.ts', 'test/contract/kept-validators.test.ts',
];
