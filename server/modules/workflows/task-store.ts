/** The table of the tasks of people, and every statement about it. */
import type { BusinessTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor,
  businessTimestamp,
  code,
  codes,
  every,
  type InsertOf,
  integer,
  keyset,
  type RowOf,
  sql,
  statement,
  table,
  text,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import { membership } from '../../identity/tables.ts';
import type { Position } from '../../request/pagination.ts';

export type TaskStatus = components['schemas']['WorkflowTaskStatusFilter'];

const MIGRATED = 'the instance continues by another version';
const CHANGED = 'the task is claimed, released, completed or no longer needed';

/** A task of a person. It follows from the state of its instance; the row says who does it. */
export const workflowTask = table(
  'workflow_task',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    instanceId: uuid(),
    applicationId: uuid().nullable(),
    businessId: uuid().nullable(),
    execution: integer(),
    definitionKey: code(),
    elementId: code().changes(MIGRATED),
    name: text().nullable().changes(MIGRATED).impersonal('the name of an element of the process'),
    status: code<TaskStatus>()
      .changes(CHANGED)
      .erasedTo(sql`CASE WHEN status = 'completed' THEN status ELSE 'cancelled' END`),
    assigneeId: uuid().nullable().changes(CHANGED),
    candidateRoles: codes().changes(MIGRATED),
    form: code().nullable().changes(MIGRATED),
    dueAt: businessTimestamp().nullable(),
    completedBy: actor().nullable().defaulted().changes(CHANGED),
    createdAt: businessTimestamp(),
    completedAt: businessTimestamp().nullable().defaulted().changes(CHANGED),
    version: integer().defaulted().unaudited().changes('each change sets the time and the version'),
    updatedAt: businessTimestamp().unaudited().changes('each change sets the time and the version'),
  },
  {
    owner: 'applicationOrBusiness',
    mayHaveNoSubject: true,
    sandboxReset: 'cascade',
    insertedBy: 'app',
    example: { status: 'created' },
  },
);

const columns = workflowTask.except('tenantId');
export type WorkflowTask = RowOf<typeof columns>;

type Key = { tenantId: string; id: string };
type OfInstance = { tenantId: string; instanceId: string };

const insert = statement<InsertOf<typeof workflowTask>>('workflowTask.insert', (p) => workflowTask.insert(p));

const find = statement<Key, WorkflowTask>(
  'workflowTask.find',
  (p) => sql`SELECT ${columns} FROM workflow_task WHERE ${workflowTask.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const lock = statement<Key, WorkflowTask>(
  'workflowTask.lock',
  (p) => sql`
  SELECT ${columns} FROM workflow_task WHERE ${workflowTask.equal({ tenantId: p.tenantId, id: p.id })} FOR UPDATE`,
);

const cancel = statement<OfInstance & { executions: readonly number[]; at: BusinessTime }>(
  'workflowTask.cancel',
  (p) => sql`
  UPDATE workflow_task SET ${workflowTask.revise(p.at, { status: 'cancelled' })}
    WHERE ${workflowTask.equal({ tenantId: p.tenantId, instanceId: p.instanceId })}
      AND execution = ANY (${p.executions}) AND status IN ('created', 'claimed')`,
);

const completers = statement<OfInstance & { elementIds: readonly string[] }, { userId: string }>(
  'workflowTask.completers',
  (p) => sql`
  SELECT completed_by ->> 'id' AS "userId" FROM workflow_task
    WHERE ${workflowTask.equal({ tenantId: p.tenantId, instanceId: p.instanceId, status: 'completed' })}
      AND element_id = ANY (${p.elementIds})`,
);

type Changed = Pick<WorkflowTask, 'status' | 'assigneeId' | 'completedBy'> & {
  readonly completedAt: BusinessTime | null;
};

const change = statement<Key & Changed & { at: BusinessTime }>(
  'workflowTask.change',
  (p) => sql`
  UPDATE workflow_task SET ${workflowTask.revise(p.at, {
    status: p.status,
    assigneeId: p.assigneeId,
    completedBy: p.completedBy,
    completedAt: p.completedAt,
  })} WHERE ${workflowTask.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

type Renamed = Pick<WorkflowTask, 'elementId' | 'name' | 'form'> & {
  readonly instanceId: string;
  readonly execution: number;
  readonly candidateRoles: readonly string[];
};

const rename = statement<{ tenantId: string; at: BusinessTime } & Renamed>(
  'workflowTask.rename',
  (p) => sql`
  UPDATE workflow_task SET ${workflowTask.revise(p.at, {
    elementId: p.elementId,
    name: p.name,
    candidateRoles: p.candidateRoles,
    form: p.form,
  })} WHERE ${workflowTask.equal({ tenantId: p.tenantId, instanceId: p.instanceId, execution: p.execution })}`,
);

type InVersion = { instanceId: string; from: readonly string[]; to: readonly string[] };

/** All at once, because two elements may have exchanged their names. */
const renameDone = statement<{ tenantId: string; at: BusinessTime } & InVersion>(
  'workflowTask.renameCompleted',
  (p) => sql`
  UPDATE workflow_task SET ${workflowTask.revise(p.at, { elementId: sql`renamed.to_id` })}
    FROM unnest(${p.from}::text[], ${p.to}::text[]) AS renamed (from_id, to_id)
    WHERE ${workflowTask.equal({ tenantId: p.tenantId, instanceId: p.instanceId, status: 'completed' })}
      AND element_id = renamed.from_id`,
);

/** Names the elements of completed tasks as another version does, whose rules of four eyes name them so. */
export function renameCompletedTasks(
  tx: Transaction,
  instanceId: string,
  mappings: readonly { readonly from: string; readonly to: string }[],
  at: BusinessTime,
): void {
  if (mappings.length === 0) return;
  const [from, to] = [mappings.map((one) => one.from), mappings.map((one) => one.to)];
  void tx.run(renameDone, {
    tenantId: tx.tenantId!,
    instanceId,
    from,
    to,
    at,
  });
}

/** Describes a task as another version of the process does. */
export function renameTask(tx: Transaction, renamed: Renamed, at: BusinessTime): void {
  void tx.run(rename, { tenantId: tx.tenantId!, ...renamed, at });
}

export function insertTask(tx: Transaction, row: Omit<InsertOf<typeof workflowTask>, 'tenantId'>): void {
  void tx.run(insert, { ...row, tenantId: tx.tenantId! });
}

export async function findWorkflowTask(tx: Transaction, id: string): Promise<WorkflowTask | null> {
  return (await tx.run(find, { tenantId: tx.tenantId!, id }))[0] ?? null;
}

export async function lockWorkflowTask(tx: Transaction, id: string): Promise<WorkflowTask | null> {
  return (await tx.run(lock, { tenantId: tx.tenantId!, id }))[0] ?? null;
}

/** Cancels the open tasks of these executions. */
export function cancelTasks(
  tx: Transaction,
  instanceId: string,
  executions: readonly number[],
  at: BusinessTime,
): void {
  void tx.run(cancel, {
    tenantId: tx.tenantId!,
    instanceId,
    executions,
    at,
  });
}

/** Returns the ids of the users who completed tasks of these elements. */
export async function completersOf(
  tx: Transaction,
  instanceId: string,
  elementIds: readonly string[],
): Promise<string[]> {
  if (elementIds.length === 0) return [];
  const rows = await tx.run(completers, { tenantId: tx.tenantId!, instanceId, elementIds });
  return rows.map(({ userId }) => userId);
}

export function changeTask(tx: Transaction, id: string, row: Changed, at: BusinessTime): Promise<unknown> {
  return tx.run(change, {
    tenantId: tx.tenantId!,
    id,
    ...row,
    at,
  });
}

const findCandidate = statement<{ tenantId: string; userId: string; roles: readonly string[] }, { userId: string }>(
  'workflowTask.candidate',
  (p) => sql`
  SELECT m.user_id AS "userId" FROM membership m
    WHERE ${membership.as('m').equal({ tenantId: p.tenantId, userId: p.userId })} AND m.status = 'active'
      AND m.role = ANY (${p.roles}) FOR SHARE`,
);

/** Roles that may do a task that names none. */
const ANY_CANDIDATE = ['compliance_officer', 'analyst'];

/** Whether a user is an active member with a role of a task, and stays so until the transaction ends. */
export async function isCandidate(tx: Transaction, userId: string, roles: readonly string[]): Promise<boolean> {
  const wanted = { tenantId: tx.tenantId!, userId, roles: roles.length === 0 ? ANY_CANDIDATE : roles };
  return (await tx.run(findCandidate, wanted)).length > 0;
}

interface TaskFilter {
  readonly environment: Environment;
  readonly statuses: readonly TaskStatus[];
  readonly assigneeId: string | undefined;
  readonly instanceId: string | undefined;
}

/** Lists tasks of an environment, the newest first. */
export function listTasks(
  tx: Transaction,
  { environment, statuses, assigneeId, instanceId }: TaskFilter,
  { after, count }: { readonly after: Position | null; readonly count: number },
): Promise<WorkflowTask[]> {
  const page = keyset(
    {
      key: workflowTask.column('createdAt'),
      type: sql`timestamptz`,
      id: sql`id`,
      direction: 'desc',
    },
    after,
  );
  return tx.query<WorkflowTask>(sql`
    SELECT ${columns} FROM workflow_task WHERE ${every([
      workflowTask.equal({ tenantId: tx.tenantId!, environment }),
      statuses.length > 0 && sql`status = ANY (${statuses})`,
      assigneeId !== undefined && workflowTask.equal({ assigneeId }),
      instanceId !== undefined && workflowTask.equal({ instanceId }),
      page.after,
    ])} ORDER BY ${page.order} LIMIT ${count}`);
}
