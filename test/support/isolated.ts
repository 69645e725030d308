/**
 * Files that replace a module of the service or of Node, and so would change what others in their process see; and one that looks at every
 * statement that is defined, and must not see those of other tests. Each runs in a process of its own.
 */
export const ISOLATED: readonly string[] = ['server/database/stores.test.ts', 'server/rules/password-hash.test.ts', 'test/api/auth-attacks.test.ts', 'test/api/deprecation.test.ts', 'test/api/full-disk.test.ts'];
