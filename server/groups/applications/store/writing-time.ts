import { sql, statement, type Fragment, type ParametersOf, type Transaction } from '../../../database/index.ts';

/** One for the writers of each tenant; they share it, so nobody waits. */
const key = (p: ParametersOf<{ tenantId: string }>): Fragment => sql`(hashtextextended('application writers', 0) # hashtextextended(${p.tenantId}::text, 0))`;

const begin = statement<{ tenantId: string }, { at: string }>('application.beginWriting', (p) => sql`
  SELECT clock_timestamp() AS at FROM (SELECT pg_advisory_xact_lock_shared(${key(p)}) AS held OFFSET 0) AS first WHERE held IS NOT NULL`);

const writers = statement<{ tenantId: string }, { before: string }>('application.writers', (p) => sql`
  SELECT least(now(), (
    SELECT min(a.xact_start) FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
    WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND (l.classid::bigint << 32 | l.objid::bigint) = ${key(p)}
      AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))) AS before`);

/** How far the clock of the service is ahead of the system's: not at all, unless a test has turned it. */
function turned(now: Date): number {
  return Math.max(0, Math.ceil((now.getTime() - Date.now()) / 1000) * 1000);
}

/**
 * How much later than `now` the changes of this transaction are, by the database's clock: no change is older than the moment
 * since when others can see that somebody is writing, whichever replica writes and however its clock goes.
 */
export async function writingDelay(tx: Transaction, now: Date): Promise<number> {
  const [row] = await tx.run(begin, { tenantId: tx.tenantId! });
  return Date.parse(row!.at) + turned(now) - now.getTime();
}

/** Every change before this has been committed and can be seen, in statements that are sent from now on; none before it follows. */
export async function settledUntil(tx: Transaction, now: Date): Promise<Date> {
  const [row] = await tx.run(writers, { tenantId: tx.tenantId! });
  return new Date(Date.parse(row!.before) + turned(now));
}
