/** The table of work that processes need, and every statement about it. */
import type { BusinessTime, RealTime } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  businessTimestamp,
  code,
  type InsertOf,
  integer,
  type RowOf,
  sql,
  statement,
  table,
  text,
  timestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';

const CHANGED = 'a worker takes the work or reports its result, or nobody needs it any more';

/** A piece of work. It follows from the state of its instance; the row says who does it and how often it failed. */
const job = table(
  'workflow_job',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    instanceId: uuid(),
    applicationId: uuid().nullable(),
    businessId: uuid().nullable(),
    execution: integer(),
    definitionKey: code(),
    elementId: code().changes('the instance continues by another version'),
    type: text().impersonal('a type of work that the process names'),
    performer: code<'worker' | 'service'>(),
    status: code<'waiting' | 'locked' | 'completed' | 'failed' | 'cancelled'>()
      .changes(CHANGED)
      .erasedTo(sql`CASE WHEN status = 'completed' THEN status ELSE 'cancelled' END`),
    attempts: integer().changes(CHANGED),
    retries: integer(),
    retriesLeft: integer().changes(CHANGED),
    worker: text()
      .nullable()
      .changes(CHANGED)
      .impersonal('the name of a worker of the tenant, limited to letters of ids'),
    // Leases and pauses are kept by the clock of the service, whatever the clock of the sandbox says.
    lockedUntil: timestamp().nullable().changes(CHANGED),
    availableAt: timestamp().changes(CHANGED),
    createdAt: businessTimestamp(),
    version: integer().defaulted().unaudited().changes('each change sets the time and the version'),
    updatedAt: businessTimestamp().unaudited().changes('each change sets the time and the version'),
  },
  {
    owner: 'applicationOrBusiness',
    mayHaveNoSubject: true,
    sandboxReset: 'cascade',
    insertedBy: 'app',
    example: { status: 'waiting', performer: 'worker' },
  },
);

const columns = job.except('tenantId');
export type Job = RowOf<typeof columns>;

type Key = { tenantId: string; id: string };
type OfInstance = { tenantId: string; instanceId: string };

const insert = statement<InsertOf<typeof job>>('workflowJob.insert', (p) => job.insert(p));

const find = statement<Key, Job>(
  'workflowJob.find',
  (p) => sql`SELECT ${columns} FROM workflow_job WHERE ${job.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const lock = statement<Key, Job>(
  'workflowJob.lock',
  (p) => sql`SELECT ${columns} FROM workflow_job WHERE ${job.equal({ tenantId: p.tenantId, id: p.id })} FOR UPDATE`,
);

type Wanted = {
  tenantId: string;
  environment: Environment;
  types: readonly string[];
  count: number;
  now: RealTime;
};

/**
 * Rows that another worker is taking are left to it, so that workers do not wait for each other. The choice is
 * materialized, because PostgreSQL may evaluate a subquery again for each row, and then more than the maximum is taken.
 */
const take = statement<Wanted & { worker: string; until: RealTime; at: BusinessTime }, Job>(
  'workflowJob.take',
  (p) => sql`
  WITH chosen AS MATERIALIZED (
    SELECT j.id FROM workflow_job j
      WHERE j.tenant_id = ${p.tenantId} AND j.environment = ${p.environment} AND j.performer = 'worker'
        AND j.type = ANY (${p.types}) AND j.available_at <= ${p.now}
        AND (j.status = 'waiting' OR (j.status = 'locked' AND j.locked_until < ${p.now}))
        AND EXISTS (SELECT FROM workflow_instance i
          WHERE i.tenant_id = j.tenant_id AND i.id = j.instance_id AND i.status = 'active')
      ORDER BY j.available_at, j.id LIMIT ${p.count} FOR UPDATE OF j SKIP LOCKED
  )
  UPDATE workflow_job SET ${job.revise(p.at, {
    status: 'locked',
    worker: p.worker,
    lockedUntil: p.until,
    attempts: sql`attempts + 1`,
  })} WHERE tenant_id = ${p.tenantId} AND id IN (SELECT id FROM chosen)
  RETURNING ${columns}`,
);

type Changed = Pick<Job, 'status' | 'retriesLeft'> & {
  readonly lockedUntil: RealTime | null;
  readonly availableAt: RealTime;
};

const change = statement<Key & Changed & { at: BusinessTime }>(
  'workflowJob.change',
  (p) => sql`
  UPDATE workflow_job SET ${job.revise(p.at, {
    status: p.status,
    retriesLeft: p.retriesLeft,
    lockedUntil: p.lockedUntil,
    availableAt: p.availableAt,
  })} WHERE ${job.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

type OfExecutions = OfInstance & { executions: readonly number[]; at: BusinessTime };

const cancel = statement<OfExecutions>(
  'workflowJob.cancel',
  (p) => sql`
  UPDATE workflow_job SET ${job.revise(p.at, { status: 'cancelled', lockedUntil: null })}
    WHERE ${job.equal({ tenantId: p.tenantId, instanceId: p.instanceId })}
      AND execution = ANY (${p.executions}) AND status <> 'completed'`,
);

const fail = statement<OfExecutions>(
  'workflowJob.fail',
  (p) => sql`
  UPDATE workflow_job SET ${job.revise(p.at, { status: 'failed', lockedUntil: null })}
    WHERE ${job.equal({ tenantId: p.tenantId, instanceId: p.instanceId })} AND execution = ANY (${p.executions})`,
);

const again = statement<OfExecutions & { now: RealTime }, { id: string; performer: Job['performer'] }>(
  'workflowJob.again',
  (p) => sql`
  UPDATE workflow_job SET ${job.revise(p.at, {
    status: 'waiting',
    retriesLeft: sql`retries`,
    lockedUntil: null,
    availableAt: p.now,
  })} WHERE ${job.equal({ tenantId: p.tenantId, instanceId: p.instanceId })} AND execution = ANY (${p.executions})
  RETURNING id, performer`,
);

const waitingForService = statement<OfInstance, { id: string }>(
  'workflowJob.waitingForService',
  (p) => sql`
  SELECT id FROM workflow_job
    WHERE ${job.equal({
      tenantId: p.tenantId,
      instanceId: p.instanceId,
      performer: 'service',
      status: 'waiting',
    })} ORDER BY id`,
);

const rename = statement<OfInstance & { execution: number; elementId: string; at: BusinessTime }>(
  'workflowJob.rename',
  (p) => sql`
  UPDATE workflow_job SET ${job.revise(p.at, { elementId: p.elementId })}
    WHERE ${job.equal({ tenantId: p.tenantId, instanceId: p.instanceId, execution: p.execution })}`,
);

export function insertJob(tx: Transaction, row: Omit<InsertOf<typeof job>, 'tenantId'>): void {
  void tx.run(insert, { ...row, tenantId: tx.tenantId! });
}

export async function findJob(tx: Transaction, id: string): Promise<Job | null> {
  return (await tx.run(find, { tenantId: tx.tenantId!, id }))[0] ?? null;
}

export async function lockJob(tx: Transaction, id: string): Promise<Job | null> {
  return (await tx.run(lock, { tenantId: tx.tenantId!, id }))[0] ?? null;
}

/** Locks work of these types for a worker, and returns it, the oldest first. */
export async function takeJobs(
  tx: Transaction,
  wanted: Omit<Wanted, 'tenantId'> & { readonly worker: string; readonly until: RealTime; readonly at: BusinessTime },
): Promise<Job[]> {
  const taken = await tx.run(take, { ...wanted, tenantId: tx.tenantId! });
  return taken.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

export function changeJob(tx: Transaction, id: string, row: Changed, at: BusinessTime): Promise<unknown> {
  return tx.run(change, {
    tenantId: tx.tenantId!,
    id,
    ...row,
    at,
  });
}

/** Work of an instance at these executions. */
interface AtExecutions {
  readonly instanceId: string;
  readonly executions: readonly number[];
}

export function cancelJobs(tx: Transaction, where: AtExecutions, at: BusinessTime): void {
  void tx.run(cancel, { tenantId: tx.tenantId!, ...where, at });
}

export function failJobs(tx: Transaction, where: AtExecutions, at: BusinessTime): void {
  void tx.run(fail, { tenantId: tx.tenantId!, ...where, at });
}

/** Lets work be done again, with all its retries. Returns which it is. */
export function repeatJobs(
  tx: Transaction,
  where: AtExecutions,
  { at, now }: { readonly at: BusinessTime; readonly now: RealTime },
): Promise<{ id: string; performer: Job['performer'] }[]> {
  return tx.run(again, {
    tenantId: tx.tenantId!,
    ...where,
    at,
    now,
  });
}

/** Returns the ids of the work that the service itself has yet to do for an instance. */
export async function jobsOfService(tx: Transaction, instanceId: string): Promise<string[]> {
  return (await tx.run(waitingForService, { tenantId: tx.tenantId!, instanceId })).map(({ id }) => id);
}

/** Names the element of a piece of work as another version of the process does. */
export function renameJob(
  tx: Transaction,
  renamed: { readonly instanceId: string; readonly execution: number; readonly elementId: string },
  at: BusinessTime,
): void {
  void tx.run(rename, { tenantId: tx.tenantId!, ...renamed, at });
}
