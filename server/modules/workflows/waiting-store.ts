/** The two tables of what instances wait for besides people: timers, and commands that a task has yet to compute. */
import { type BusinessTime, type RealTime } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  businessTimestamp,
  code,
  type InsertOf,
  integer,
  json,
  type RowOf,
  sql,
  statement,
  table,
  timestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import { type ScheduledTenant, scheduledTenant } from '../../identity/store.ts';
import { tenant } from '../../identity/tables.ts';
import { OPEN_STATUSES } from '../../identity/tenant.ts';
import type { InstanceCommand } from '../../workflow/compute.ts';

/** A timer of an instance. It follows from the state; the row is the index by which it is found when it is due. */
const timer = table(
  'workflow_timer',
  {
    tenantId: uuid(),
    instanceId: uuid(),
    subscription: integer(),
    environment: code<Environment>(),
    dueAt: businessTimestamp(),
  },
  { owner: 'tenant', sandboxReset: 'cascade', insertedBy: 'app' },
);

/** A command whose step evaluates expressions, until a task has computed it. */
const command = table(
  'workflow_command',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    instanceId: uuid(),
    applicationId: uuid().nullable(),
    businessId: uuid().nullable(),
    command: json<InstanceCommand>()
      .changes('its subject is erased')
      .unsealed('variables hold references such as ids and codes; an erasure empties them')
      .erasedTo({ do: 'cancel' }),
    createdAt: timestamp(),
  },
  {
    owner: 'applicationOrBusiness',
    mayHaveNoSubject: true,
    sandboxReset: 'cascade',
    insertedBy: 'app',
    example: { command: { do: 'cancel' } },
  },
);

type OfInstance = { tenantId: string; instanceId: string };

/** How many timers one request or one batch of the periodic job fires. */
export const TIMERS_AT_ONCE = 100;

const addTimer = statement<InsertOf<typeof timer>>('workflowTimer.insert', (p) => timer.insert(p));

const dropTimers = statement<OfInstance & { subscriptions: readonly number[] }>(
  'workflowTimer.delete',
  (p) => sql`
  DELETE FROM workflow_timer WHERE ${timer.equal({ tenantId: p.tenantId, instanceId: p.instanceId })}
    AND subscription = ANY (${p.subscriptions})`,
);

/** The timers of an instance that was suspended meanwhile wait until it is resumed. */
const takeDue = statement<OfInstance & { subscription: number; at: BusinessTime }>(
  'workflowTimer.take',
  (p) => sql`
  DELETE FROM workflow_timer
    WHERE ${timer.equal({ tenantId: p.tenantId, instanceId: p.instanceId, subscription: p.subscription })}
      AND due_at <= ${p.at} AND NOT EXISTS (SELECT FROM workflow_instance i WHERE i.tenant_id = workflow_timer.tenant_id
        AND i.id = workflow_timer.instance_id AND i.status = 'suspended')`,
);

const dueColumns = timer.select('instanceId', 'subscription');
const findDue = statement<{ tenantId: string; environment: Environment; at: BusinessTime }, RowOf<typeof dueColumns>>(
  'workflowTimer.due',
  (p) => sql`
  SELECT ${dueColumns} FROM workflow_timer
    WHERE ${timer.equal({ tenantId: p.tenantId, environment: p.environment })} AND due_at <= ${p.at}
      AND NOT EXISTS (SELECT FROM workflow_instance i WHERE i.tenant_id = workflow_timer.tenant_id
        AND i.id = workflow_timer.instance_id AND i.status = 'suspended')
    ORDER BY due_at, instance_id, subscription LIMIT ${TIMERS_AT_ONCE}`,
);

const dueTenants = tenant.select('id', 'sandboxClockOffsetSeconds');
const findTenants = statement<{ statuses: readonly string[]; now: RealTime }, RowOf<typeof dueTenants>>(
  'workflowTimer.tenants',
  (p) => sql`
  SELECT ${dueTenants} FROM tenant WHERE status = ANY (${p.statuses}) AND (
    EXISTS (SELECT FROM workflow_timer WHERE tenant_id = tenant.id AND environment = 'live' AND due_at <= ${p.now})
    OR EXISTS (SELECT FROM workflow_timer WHERE tenant_id = tenant.id AND environment = 'sandbox'
      AND due_at <= ${p.now}::timestamptz + make_interval(secs => sandbox_clock_offset_seconds)))`,
);

const addCommand = statement<InsertOf<typeof command>>('workflowCommand.insert', (p) => command.insert(p));

const waitingColumns = command.select('id', 'command');
type WaitingCommand = RowOf<typeof waitingColumns>;

const findFirst = statement<OfInstance, WaitingCommand>(
  'workflowCommand.first',
  (p) => sql`
  SELECT ${waitingColumns} FROM workflow_command
    WHERE ${command.equal({ tenantId: p.tenantId, instanceId: p.instanceId })} ORDER BY id LIMIT 1`,
);

const findAnswered = statement<OfInstance, { execution: number }>(
  'workflowCommand.answered',
  (p) => sql`
  SELECT (command ->> 'execution')::integer AS execution FROM workflow_command
    WHERE ${command.equal({ tenantId: p.tenantId, instanceId: p.instanceId })}
      AND command ->> 'do' IN ('complete', 'error', 'stop')`,
);

const findAnyCommand = statement<OfInstance, { hasAny: boolean }>(
  'workflowCommand.any',
  (p) => sql`
  SELECT EXISTS (SELECT FROM workflow_command
    WHERE ${command.equal({ tenantId: p.tenantId, instanceId: p.instanceId })}) AS "hasAny"`,
);

const dropCommand = statement<{ tenantId: string; id: string }>(
  'workflowCommand.delete',
  (p) => sql`DELETE FROM workflow_command WHERE ${command.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const dropCommands = statement<OfInstance>(
  'workflowCommand.deleteAll',
  (p) => sql`
  DELETE FROM workflow_command WHERE ${command.equal({ tenantId: p.tenantId, instanceId: p.instanceId })}`,
);

export function insertTimer(tx: Transaction, row: Omit<InsertOf<typeof timer>, 'tenantId'>): void {
  void tx.run(addTimer, { ...row, tenantId: tx.tenantId! });
}

export function deleteTimers(tx: Transaction, instanceId: string, subscriptions: readonly number[]): void {
  void tx.run(dropTimers, { tenantId: tx.tenantId!, instanceId, subscriptions });
}

export function dueTimers(
  tx: Transaction,
  environment: Environment,
  at: BusinessTime,
): Promise<RowOf<typeof dueColumns>[]> {
  return tx.run(findDue, { tenantId: tx.tenantId!, environment, at });
}

/** Takes a timer away to fire it. Returns false if it is no longer due, or if its instance is suspended. */
export async function takeTimer(
  tx: Transaction,
  { instanceId, subscription }: RowOf<typeof dueColumns>,
  at: BusinessTime,
): Promise<boolean> {
  const taken = await tx.count(takeDue, {
    tenantId: tx.tenantId!,
    instanceId,
    subscription,
    at,
  });
  return taken > 0;
}

/**
 * Returns the tenants with due timers, including those of suspended instances, which the round then skips. Needs a
 * platform transaction.
 */
export async function tenantsWithDueTimers(tx: Transaction, now: RealTime): Promise<ScheduledTenant[]> {
  const found = await tx.run(findTenants, { statuses: OPEN_STATUSES, now });
  return found.map(scheduledTenant);
}

export function insertCommand(
  tx: Transaction,
  row: Omit<InsertOf<typeof command>, 'tenantId' | 'createdAt'>,
  now: RealTime,
): void {
  void tx.run(addCommand, { ...row, tenantId: tx.tenantId!, createdAt: now });
}

/** Returns the command that is to be computed next. Others are not read: an instance may have thousands of them. */
export async function firstCommand(tx: Transaction, instanceId: string): Promise<WaitingCommand | null> {
  return (await tx.run(findFirst, { tenantId: tx.tenantId!, instanceId }))[0] ?? null;
}

/** Returns the executions whose result or incident waits behind a step that is still to be computed. */
export async function answeredExecutions(tx: Transaction, instanceId: string): Promise<Set<number>> {
  const rows = await tx.run(findAnswered, { tenantId: tx.tenantId!, instanceId });
  return new Set(rows.map(({ execution }) => execution));
}

/** Tells whether commands wait for an instance. */
export async function hasCommands(tx: Transaction, instanceId: string): Promise<boolean> {
  return (await tx.run(findAnyCommand, { tenantId: tx.tenantId!, instanceId }))[0]!.hasAny;
}

export function deleteCommand(tx: Transaction, id: string): void {
  void tx.run(dropCommand, { tenantId: tx.tenantId!, id });
}

export function deleteCommands(tx: Transaction, instanceId: string): void {
  void tx.run(dropCommands, { tenantId: tx.tenantId!, instanceId });
}
