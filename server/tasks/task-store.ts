/**
 * Table of the queued tasks, with the statements that take, lease, defer and delete a task and wake its tenant. Used by
 * task.ts, worker.ts and work-lanes.ts. A lease that is not prolonged lets another process take the task.
 */
import type { RealTime } from '../base/time.ts';
import { uuidv7 } from '../base/uuid.ts';
import { tryLockUntilCommit } from '../database/advisory-lock.ts';
import { OPEN_STATUSES } from '../identity/tenant.ts';
import {
  boolean,
  type Database,
  type Fragment,
  type InsertOf,
  integer,
  knex,
  type RowOf,
  sql,
  statement,
  table,
  text,
  timestamp,
  type Transaction,
  uuid,
} from '../database/index.ts';

/** Queued task. Finishing a task deletes its row in the same transaction as its effect. */
export const task = table(
  'task',
  {
    tenantId: uuid(),
    id: uuid(),
    kind: text(),
    // Record that the task concerns. All other data is read when the task runs.
    subjectId: uuid(),
    // Number of failed attempts.
    attempts: integer().defaulted().changes('a step of the task ends, or fails and is retried'),
    // Whether the task belongs to a large batch and may wait.
    isBulk: boolean(),
    // End of the lease while a worker has one, else the time from which the task may run.
    dueAt: timestamp().changes('a step of the task ends, or fails and is retried, or the lease is renewed'),
    // Set by the worker that does the work of the task without a transaction.
    lease: uuid().nullable().defaulted().changes('a worker takes or returns the lease'),
    createdAt: timestamp(),
  },
  {
    owner: 'tenant',
    sandboxReset: { kept: 'a task whose record was deleted ends by itself' },
    insertedBy: 'app',
    example: { kind: 'k' },
  },
);

const wire = task.select('id', 'kind', 'subjectId', 'attempts');
export type Task = RowOf<typeof wire>;

type Key = { tenantId: string; id: string };

const insert = statement<InsertOf<typeof task>>('task.insert', (p) => task.insert(p));

/**
 * Kinds of tasks that this process can run; a later version may know kinds that a concurrently running earlier version
 * does not.
 */
type Wanted = { tenantId: string; kinds: readonly string[]; now: RealTime };

/** Condition that excludes tasks of suspended or closed tenants. */
const IS_OPEN: Fragment = sql`EXISTS (SELECT FROM tenant t WHERE t.id = task.tenant_id
  AND t.status = ANY (${knex.raw(`'{${OPEN_STATUSES.join(',')}}'`)}))`;

const takeNext = statement<Wanted, Task>(
  'task.next',
  (p) => sql`
  SELECT ${wire} FROM task WHERE ${task.equal({ tenantId: p.tenantId })} AND due_at <= ${p.now}
    AND kind = ANY (${p.kinds}) AND ${IS_OPEN} ORDER BY is_bulk, due_at, id LIMIT 1 FOR UPDATE OF task`,
);

/**
 * A task that ends in a transaction that is under way is locked by it. It is skipped, because it may have read the
 * records before the change of which the caller tells.
 */
const findQueued = statement<{ tenantId: string; kind: string; subjectId: string }>(
  'task.queued',
  (p) => sql`
  SELECT FROM task WHERE ${task.equal({ tenantId: p.tenantId, kind: p.kind, subjectId: p.subjectId })} LIMIT 1
    FOR KEY SHARE SKIP LOCKED`,
);

const remove = statement<Key>(
  'task.delete',
  (p) => sql`DELETE FROM task WHERE ${task.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const defer = statement<Key & { attempts: number; dueAt: RealTime }>(
  'task.defer',
  (p) => sql`
  UPDATE task SET ${task.assign({ attempts: p.attempts, dueAt: p.dueAt })}, lease = NULL
    WHERE ${task.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const findLeased = statement<{ tenantId: string; now: RealTime }>(
  'task.leased',
  (p) => sql`
  SELECT FROM task WHERE ${task.equal({ tenantId: p.tenantId })} AND lease IS NOT NULL AND due_at > ${p.now} LIMIT 1`,
);

type LeaseKey = Key & { lease: string };

const beginLease = statement<LeaseKey & { dueAt: RealTime }>(
  'task.lease',
  (p) => sql`
  UPDATE task SET ${task.assign({ lease: p.lease, dueAt: p.dueAt })}
    WHERE ${task.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const prolong = statement<LeaseKey & { dueAt: RealTime }>(
  'task.prolong',
  (p) => sql`
  UPDATE task SET ${task.assign({ dueAt: p.dueAt })}
    WHERE ${task.equal({ tenantId: p.tenantId, id: p.id, lease: p.lease })}`,
);

const lockLeased = statement<LeaseKey>(
  'task.lockLeased',
  (p) => sql`
  SELECT FROM task WHERE ${task.equal({ tenantId: p.tenantId, id: p.id, lease: p.lease })} FOR UPDATE`,
);

const lockUnleased = statement<Key>(
  'task.lockUnleased',
  (p) => sql`
  SELECT FROM task WHERE ${task.equal({ tenantId: p.tenantId, id: p.id, lease: null })} FOR UPDATE`,
);

const lateTenants = statement<{ before: Date }, Pick<RowOf<ReturnType<typeof task.select>>, 'tenantId'>>(
  'task.lateTenants',
  (p) => sql`
  SELECT DISTINCT ${task.select('tenantId')} FROM task WHERE due_at <= ${p.before} AND ${IS_OPEN}`,
);

/**
 * Adds one queue entry for each tenant, whatever its tasks are, and one for each task that is retried later. If an
 * entry is being processed, another one is added. An entry contains only the tenant, and the policy of the table
 * refuses any other content.
 */
const wake = statement<{ tenantId: string; key: string; seconds: number }>(
  'task.wake',
  (p) => sql`
  SELECT FROM graphile_worker.add_job('wake', json_build_object('tenantId', ${p.tenantId}::uuid),
    run_at => now() + make_interval(secs => ${p.seconds}::float8), job_key => ${p.key}::text)`,
);

const wakeIfDue = statement<Wanted>(
  'task.wakeIfDue',
  (p) => sql`
  SELECT graphile_worker.add_job('wake', json_build_object('tenantId', ${p.tenantId}::uuid),
    job_key => ${p.tenantId}::text)
  WHERE EXISTS (SELECT FROM task WHERE ${task.equal({ tenantId: p.tenantId })} AND due_at <= ${p.now}
    AND kind = ANY (${p.kinds}) AND ${IS_OPEN})`,
);

/**
 * Wakes a tenant. Its queue entry is locked only at the end of the transaction, and always before the head of its audit
 * log.
 */
export function wakeTenant(tx: Transaction, tenantId: string): void {
  tx.beforeCommit(wake, { tenantId, key: tenantId, seconds: 0 });
}

export function insertTask(tx: Transaction, row: InsertOf<typeof task>): void {
  void tx.run(insert, row);
  wakeTenant(tx, row.tenantId);
}

export async function isQueued(tx: Transaction, kind: string, subjectId: string): Promise<boolean> {
  return (await tx.count(findQueued, { tenantId: tx.tenantId!, kind, subjectId })) > 0;
}

/**
 * Takes the oldest due task, bulk tasks last. Returns null if none is due or if another process serves the tenant,
 * because only one does at a time.
 */
export async function takeTask(tx: Transaction, kinds: readonly string[], now: RealTime): Promise<Task | null> {
  if (!(await tryLockUntilCommit(tx, 'tasks', tx.tenantId!))) return null;
  return (await tx.run(takeNext, { tenantId: tx.tenantId!, kinds, now }))[0] ?? null;
}

/** Times of a lease: when it begins or is prolonged, and when it ends. */
export interface Lease {
  readonly now: RealTime;
  readonly until: RealTime;
}

/** A task with the lease that one worker has on it. */
export interface LeasedTask extends Task {
  readonly lease: string;
}

/**
 * Takes the oldest due task and leases it. Returns null if none is due, or if any worker has a lease on a task of this
 * tenant, because only one works for it at a time.
 */
export async function leaseTask(
  tx: Transaction,
  kinds: readonly string[],
  { now, until }: Lease,
): Promise<LeasedTask | null> {
  const tenantId = tx.tenantId!;
  if (!(await tryLockUntilCommit(tx, 'works', tenantId))) return null;
  if ((await tx.count(findLeased, { tenantId, now })) > 0) return null;
  const [next] = await tx.run(takeNext, { tenantId, kinds, now });
  if (next === undefined) return null;
  const lease = uuidv7();
  void tx.run(beginLease, {
    tenantId,
    id: next.id,
    lease,
    dueAt: until,
  });
  return { ...next, lease };
}

/** Prolongs a lease. Returns false if the task was cancelled or is leased to another worker. */
export async function prolongLease(tx: Transaction, { id, lease }: LeasedTask, { until }: Lease): Promise<boolean> {
  return (
    (await tx.count(prolong, {
      tenantId: tx.tenantId!,
      id,
      lease,
      dueAt: until,
    })) > 0
  );
}

/** Locks a task until the end of the transaction. Returns false if this lease on it has ended. */
export async function holdsLease(tx: Transaction, { id, lease }: LeasedTask): Promise<boolean> {
  return (await tx.count(lockLeased, { tenantId: tx.tenantId!, id, lease })) > 0;
}

/** Locks a task until the end of the transaction. Returns false if any worker has a lease on it. */
export async function isUnleased(tx: Transaction, { id }: { readonly id: string }): Promise<boolean> {
  return (await tx.count(lockUnleased, { tenantId: tx.tenantId!, id })) > 0;
}

/** Deletes a task. Returns whether the task still existed. */
export async function deleteTask(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.count(remove, { tenantId: tx.tenantId!, id })) > 0;
}

/** Schedules a task for later. A task that was cancelled meanwhile stays cancelled. */
export function deferTask(
  tx: Transaction,
  { id, attempts }: Pick<Task, 'id' | 'attempts'>,
  now: RealTime,
  milliseconds: number,
): void {
  const tenantId = tx.tenantId!;
  void tx.run(defer, {
    tenantId,
    id,
    attempts,
    dueAt: new Date(now.getTime() + milliseconds),
  });
  if (milliseconds > 0) tx.beforeCommit(wake, { tenantId, key: `${tenantId} ${id}`, seconds: milliseconds / 1000 });
}

/** Makes a task due at once, for any worker, with the number of attempts that it had. */
export function returnTask(tx: Transaction, task: Pick<Task, 'id' | 'attempts'>, now: RealTime): void {
  deferTask(tx, task, now, 0);
  wakeTenant(tx, tx.tenantId!);
}

/**
 * Wakes the tenant if more tasks are due. Called at the end of a round, because a worker that was woken during the
 * round found the tenant locked and left.
 */
export async function wakeIfMoreIsDue(database: Database, wanted: Wanted): Promise<void> {
  await database.transaction({ tenantId: wanted.tenantId }, (tx) => tx.run(wakeIfDue, wanted));
}

/**
 * Wakes tenants whose due tasks have not been taken for a while, for example because their process was killed. Returns
 * the number of tenants.
 */
export async function wakeLateTenants(database: Database, before: Date): Promise<number> {
  const late = await database.platform({ tenantId: null, readOnly: true }, (tx) => tx.run(lateTenants, { before }));
  for (const { tenantId } of late) await database.transaction({ tenantId }, async (tx) => wakeTenant(tx, tenantId));
  return late.length;
}
