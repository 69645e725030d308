/**
 * Locks by name that end with the transaction. Used by every layer above where no row can be locked. Locks that are
 * taken in different orders deadlock; the database then ends one of the transactions.
 */
import { type Fragment, sql } from './sql.ts';
import { type Parameter, statement } from './statement.ts';
import type { Transaction } from './transaction.ts';

/**
 * Advisory locks of PostgreSQL (§13.3.5 of its manual) that end with the transaction. The name of a lock consists of
 * its purpose and its subject, such as a tenant. Both are hashed separately, so that different pairs of names do not
 * coincide.
 */
type LockName = { purpose: string; subject: string };

/** Returns the key of a lock, for statements that take a lock in addition to other work. */
export function lockKey(purpose: string | Parameter<string>, subject: Parameter<string>): Fragment {
  return sql`(hashtextextended(${purpose}::text, 0) # hashtextextended(${subject}::text, 0))`;
}

const lock = statement<LockName>(
  'advisoryLock.take',
  (p) => sql`SELECT pg_advisory_xact_lock${lockKey(p.purpose, p.subject)}`,
);

const tryLock = statement<LockName, { locked: boolean }>(
  'advisoryLock.try',
  (p) => sql`SELECT pg_try_advisory_xact_lock${lockKey(p.purpose, p.subject)} AS locked`,
);

/**
 * Waits for the lock and holds it until the transaction ends. Later statements of the transaction are executed after
 * it, so the caller need not await it; if it fails and is not awaited, COMMIT reports the failure.
 */
export function lockUntilCommit(tx: Transaction, purpose: string, subject: string): Promise<unknown> {
  return tx.run(lock, { purpose, subject });
}

/** Takes the lock if it is free. Returns whether it did. */
export async function tryLockUntilCommit(tx: Transaction, purpose: string, subject: string): Promise<boolean> {
  return (await tx.run(tryLock, { purpose, subject }))[0]?.locked === true;
}
