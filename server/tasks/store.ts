import { type Database, DatabaseUnavailable, knex, sql, statement } from '../database/index.ts';
import { PLATFORM_TENANT_ID } from '../database/roles.ts';
import type { ScheduledTenant } from '../identity/store.ts';
import type { Job } from './job.ts';

const tryLock = statement<{ name: string }, { locked: boolean }>('job.lock', (p) =>
  sql`SELECT pg_try_advisory_xact_lock(hashtextextended('job', 0) # hashtextextended(${p.name}, 0)) AS locked`);

const heartbeat = statement<Record<never, never>>('job.stillHere', () => sql`SELECT 1`);

/** A transaction that says nothing is ended by the server after a minute (provision.ts). */
const HEARTBEAT_MILLISECONDS = 15_000;

/**
 * Runs the work while this process, of all that share the database, holds the lock of that name; null when another one
 * has it. The lock belongs to a transaction that does nothing else, so it ends with the process whatever happens.
 */
export function withJobLock<T>(database: Database, name: string, work: (lost: AbortSignal) => Promise<T>): Promise<{ readonly result: T } | null> {
  return database.platform({ tenantId: null }, async (tx) => {
    const [row] = await tx.run(tryLock, { name });
    if (row?.locked !== true) return null;
    const lost = new AbortController();
    const heart = setInterval(() => void tx.run(heartbeat, {}).catch((error: unknown) => lost.abort(error)), HEARTBEAT_MILLISECONDS);
    try {
      return { result: await work(lost.signal) };
    } finally {
      clearInterval(heart);
    }
  });
}

const upsertSuccess = statement<{ name: string; everySeconds: number; at: Date }>('job.succeeded', (p) =>
  knex('job_success').insert({ name: p.name, every_seconds: p.everySeconds, at: p.at }).onConflict('name').merge(['every_seconds', 'at']));

/** Kept where every process sees it: how late a job is must not depend on whom one asks. */
export async function recordSuccess(database: Database, { name, everySeconds }: Pick<Job, 'name' | 'everySeconds'>, at: Date): Promise<void> {
  await database.platform({ tenantId: null }, (tx) => tx.run(upsertSuccess, { name, everySeconds, at }));
}

const PAGE = 500;

interface TenantRow {
  readonly id: string;
  readonly sandbox_clock_offset_seconds: number;
}

const nextTenants = statement<{ after: string; statuses: readonly string[] }, TenantRow>('job.tenants', (p) =>
  knex('tenant').select('id', 'sandbox_clock_offset_seconds').where(sql`id > ${p.after}`)
    .where(sql`status = ANY(${p.statuses}::text[])`).orderBy('id').limit(PAGE));

/** Those that work. */
const OPEN = ['onboarding', 'active'];
/** What the law lets us keep no longer goes whether its tenant still works or not. */
export const EVERY_STATUS = [...OPEN, 'suspended', 'closed'];

/**
 * Every tenant that is neither suspended nor closed, unless other statuses are given, without the platform's own; the sum of
 * what the work answers for each. A tenant whose work fails holds up no other: the failure comes at the end.
 */
export async function forEachTenant(database: Database, signal: AbortSignal, work: (tenant: ScheduledTenant) => Promise<number>, statuses: readonly string[] = OPEN): Promise<number> {
  let sum = 0;
  let failure: Error | null = null;
  // No tenant has the nil UUID, and the list of ids is walked in their order.
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const page = await database.platform({ tenantId: null, readOnly: true }, (tx) => tx.run(nextTenants, { after, statuses }));
    for (const { id, sandbox_clock_offset_seconds } of page) {
      if (signal.aborted) return sum;
      after = id;
      if (id === PLATFORM_TENANT_ID) continue;
      try {
        sum += await work({ id, sandboxAheadMilliseconds: sandbox_clock_offset_seconds * 1000 });
      } catch (error) {
        if (error instanceof DatabaseUnavailable) throw error;
        failure ??= new Error(`it failed for the tenant ${id}, perhaps for others too`, { cause: error });
      }
    }
    if (page.length < PAGE) break;
  }
  if (failure !== null) throw failure;
  return sum;
}
