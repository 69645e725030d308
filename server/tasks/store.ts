/** Locks and records of periodic jobs in the database. Used by the scheduler and the jobs. */
import { tryLockUntilCommit } from '../database/advisory-lock.ts';
import {
  type Database,
  DatabaseUnavailable,
  double,
  type InsertOf,
  type RowOf,
  sql,
  statement,
  table,
  text,
  timestamp,
} from '../database/index.ts';
import { PLATFORM_TENANT_ID } from '../database/roles.ts';
import { type ScheduledTenant, scheduledTenant } from '../identity/store.ts';
import { tenant } from '../identity/tables.ts';
import { OPEN_STATUSES } from '../identity/tenant.ts';
import type { Job } from './job.ts';

const heartbeat = statement<Record<never, never>>('job.heartbeat', () => sql`SELECT 1`);

/**
 * Interval of statements in an idle transaction, which PostgreSQL ends after a minute
 * (`idle_in_transaction_session_timeout` in database/provision.ts).
 */
const HEARTBEAT_MILLISECONDS = 15_000;

/**
 * Runs the work while this process holds the lock of that name among all processes that share the database. Returns
 * null if another process holds it. The lock belongs to a transaction that does nothing else, so PostgreSQL releases it
 * when the process ends, however it ends.
 */
export function withJobLock<T>(
  database: Database,
  name: string,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<{ readonly result: T } | null> {
  return database.platform({ tenantId: null }, async (tx) => {
    if (!(await tryLockUntilCommit(tx, 'job', name))) return null;
    const lost = new AbortController();
    const timer = setInterval(
      () => void tx.run(heartbeat, {}).catch((error: unknown) => lost.abort(error)),
      HEARTBEAT_MILLISECONDS,
    );
    try {
      return { result: await work(lost.signal) };
    } finally {
      clearInterval(timer);
    }
  });
}

const jobSuccess = table(
  'job_success',
  {
    name: text(),
    everySeconds: double().changes('the job succeeds again'),
    at: timestamp().changes('the job succeeds again'),
  },
  {
    owner: 'platform',
    insertedBy: 'platform',
    example: { name: 'j', everySeconds: 1 },
  },
);

const upsertSuccess = statement<InsertOf<typeof jobSuccess>>(
  'job.succeeded',
  (p) => sql`
  ${jobSuccess.insert(p)} ON CONFLICT (name) DO UPDATE SET ${jobSuccess.assignExcluded('everySeconds', 'at')}`,
);

/**
 * Records in the database the time of a job's last success, so that every process reports the same delay of the job.
 */
export async function recordSuccess(
  database: Database,
  { name, everySeconds }: Pick<Job, 'name' | 'everySeconds'>,
  at: Date,
): Promise<void> {
  await database.platform({ tenantId: null }, (tx) => tx.run(upsertSuccess, { name, everySeconds, at }));
}

const PAGE_SIZE = 500;

const scheduled = tenant.select('id', 'sandboxClockOffsetSeconds');

const nextTenants = statement<{ after: string; statuses: readonly string[] }, RowOf<typeof scheduled>>(
  'job.tenants',
  (p) => sql`
  SELECT ${scheduled} FROM tenant WHERE id > ${p.after} AND status = ANY (${p.statuses}) ORDER BY id
    LIMIT ${PAGE_SIZE}`,
);

/**
 * Statuses for jobs that delete data at the end of its legal retention period, also for suspended or closed tenants.
 */
export const EVERY_STATUS = [...OPEN_STATUSES, 'suspended', 'closed'];

type OfTenant = (tenant: ScheduledTenant) => Promise<number>;

/**
 * Runs the work for every tenant that is neither suspended nor closed, or that has one of the given statuses, without
 * the platform's own tenant. Returns the sum of the results. A tenant whose work fails does not stop the others: the
 * failure is thrown at the end.
 */
export async function forEachTenant(
  database: Database,
  signal: AbortSignal,
  work: OfTenant,
  statuses: readonly string[] = OPEN_STATUSES,
): Promise<number> {
  const round = new Round(signal, work);
  // Tenants are read in the order of their ids, and no tenant has the nil UUID (RFC 9562 §5.9).
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const page = await database.platform({ tenantId: null, readOnly: true }, (tx) =>
      tx.run(nextTenants, { after, statuses }),
    );
    const tenants = page.map(scheduledTenant);
    await round.over(tenants);
    if (page.length < PAGE_SIZE || signal.aborted) return round.end();
    after = page.at(-1)!.id;
  }
}

/** Runs the work for these tenants, as `forEachTenant` does for all. */
export async function forTenants(
  tenants: readonly ScheduledTenant[],
  signal: AbortSignal,
  work: OfTenant,
): Promise<number> {
  const round = new Round(signal, work);
  await round.over(tenants);
  return round.end();
}

/** Work for one tenant after the other, with the sum of its results and its first failure. */
class Round {
  readonly #signal: AbortSignal;
  readonly #work: OfTenant;
  #sum = 0;
  #failure: Error | null = null;

  constructor(signal: AbortSignal, work: OfTenant) {
    this.#signal = signal;
    this.#work = work;
  }

  async over(tenants: readonly ScheduledTenant[]): Promise<void> {
    for (const tenant of tenants) {
      if (this.#signal.aborted) return;
      const { id } = tenant;
      if (id === PLATFORM_TENANT_ID) continue;
      try {
        this.#sum += await this.#work(tenant);
      } catch (error) {
        if (error instanceof DatabaseUnavailable) throw error;
        this.#failure ??= new Error(`it failed for the tenant ${id}, perhaps for others too`, { cause: error });
      }
    }
  }

  end(): number {
    // An aborted round reports no failure, because the next round retries the same tenants.
    if (this.#failure !== null && !this.#signal.aborted) throw this.#failure;
    return this.#sum;
  }
}
