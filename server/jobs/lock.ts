import { sql, statement, type Database } from '../database/index.ts';

const tryLock = statement<{ name: string }, { locked: boolean }>('job.lock', (p) =>
  sql`SELECT pg_try_advisory_xact_lock(hashtextextended('job', 0) # hashtextextended(${p.name}, 0)) AS locked`);

const stillHere = statement<Record<never, never>>('job.stillHere', () => sql`SELECT 1`);

/** A transaction that says nothing is ended by the server after a minute (provision.ts). */
const HEARTBEAT_MILLISECONDS = 15_000;

/**
 * Runs the work while this process, of all that share the database, holds the lock of that name; null when another one
 * has it. The lock belongs to a transaction that does nothing else, so it ends with the process whatever happens.
 */
export function underLock<T>(database: Database, name: string, work: (lost: AbortSignal) => Promise<T>): Promise<{ readonly result: T } | null> {
  return database.platform({ tenantId: null }, async (tx) => {
    const [row] = await tx.run(tryLock, { name });
    if (row?.locked !== true) return null;
    const lost = new AbortController();
    const heart = setInterval(() => void tx.run(stillHere, {}).catch((error: unknown) => lost.abort(error)), HEARTBEAT_MILLISECONDS);
    try {
      return { result: await work(lost.signal) };
    } finally {
      clearInterval(heart);
    }
  });
}
