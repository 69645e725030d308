import { type Fragment, sql } from './sql.ts';
import { type Parameter, statement } from './statement.ts';
import type { Transaction } from './transaction.ts';

/**
 * Advisory locks of PostgreSQL (§13.3.5 of its manual) that end with the transaction. A lock is named by what it protects and by whose it
 * is, such as a tenant; both are hashed apart, so that no pair of names runs into another one.
 */
type LockName = { purpose: string; subject: string };

/** The key of a lock, for statements that take one along with other work. */
export function lockKey(purpose: string | Parameter<string>, subject: Parameter<string>): Fragment {
  return sql`(hashtextextended(${purpose}::text, 0) # hashtextextended(${subject}::text, 0))`;
}

const lock = statement<LockName>('advisoryLock.take', (p) =>
  sql`SELECT pg_advisory_xact_lock${lockKey(p.purpose, p.subject)}`);

const tryLock = statement<LockName, { locked: boolean }>('advisoryLock.try', (p) =>
  sql`SELECT pg_try_advisory_xact_lock${lockKey(p.purpose, p.subject)} AS locked`);

/**
 * Waits for the lock and holds it until the transaction ends. Later statements of the transaction are executed after it, so the caller need
 * not await it; a failure that nobody awaits then shows at COMMIT.
 */
export function lockUntilCommit(tx: Transaction, purpose: string, subject: string): Promise<unknown> {
  return tx.run(lock, { purpose, subject });
}

/** Takes the lock if nobody else holds it; whether it did. */
export async function tryLockUntilCommit(tx: Transaction, purpose: string, subject: string): Promise<boolean> {
  return (await tx.run(tryLock, { purpose, subject }))[0]?.locked === true;
}
