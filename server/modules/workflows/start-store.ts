/** The table of start events of active versions that wait for a message, a signal or a time. */
import type { BusinessTime } from '../../base/time.ts';
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
  type Transaction,
  uuid,
} from '../../database/index.ts';

const FIRED = 'the time has come, and another one follows or none';

const start = table(
  'workflow_start',
  {
    tenantId: uuid(),
    definitionId: uuid(),
    elementId: code(),
    environment: code<Environment>(),
    kind: code<'message' | 'signal' | 'timer'>(),
    name: text().nullable().impersonal('the name of a message or signal of the process'),
    dueAt: businessTimestamp().nullable().changes(FIRED),
    cycle: code().nullable(),
    timesLeft: integer().nullable().changes(FIRED),
  },
  {
    owner: 'tenant',
    sandboxReset: 'cascade',
    insertedBy: 'app',
    example: { kind: 'message' },
  },
);

const columns = start.except('tenantId');

/** A start event, with the message or signal that it waits for or the time at which it starts. */
export type WaitingStart = RowOf<typeof columns>;

/** How many starts one request or one batch of the periodic job lets happen. */
export const STARTS_AT_ONCE = 20;

const insert = statement<InsertOf<typeof start>>('workflowStart.insert', (p) => start.insert(p));

const drop = statement<{ tenantId: string; environment: Environment; key: string }>(
  'workflowStart.delete',
  (p) => sql`
  DELETE FROM workflow_start WHERE ${start.equal({ tenantId: p.tenantId, environment: p.environment })}
    AND definition_id IN (SELECT d.id FROM definition d WHERE d.tenant_id = workflow_start.tenant_id
      AND d.kind = 'workflow' AND d.key = ${p.key})`,
);

const findNamed = statement<
  {
    tenantId: string;
    environment: Environment;
    kind: 'message' | 'signal';
    name: string;
  },
  WaitingStart
>(
  'workflowStart.named',
  (p) => sql`
  SELECT ${columns} FROM workflow_start
    WHERE ${start.equal({
      tenantId: p.tenantId,
      environment: p.environment,
      kind: p.kind,
      name: p.name,
    })}
    ORDER BY definition_id, element_id`,
);

const findDue = statement<{ tenantId: string; environment: Environment; at: BusinessTime }, WaitingStart>(
  'workflowStart.due',
  (p) => sql`
  SELECT ${columns} FROM workflow_start
    WHERE ${start.equal({ tenantId: p.tenantId, environment: p.environment })} AND due_at <= ${p.at}
    ORDER BY due_at, definition_id, element_id LIMIT ${STARTS_AT_ONCE} FOR UPDATE`,
);

const setNext = statement<{
  tenantId: string;
  definitionId: string;
  elementId: string;
  dueAt: BusinessTime | null;
  timesLeft: number | null;
}>(
  'workflowStart.next',
  (p) => sql`
  UPDATE workflow_start SET ${start.assign({ dueAt: p.dueAt, timesLeft: p.timesLeft })}
    WHERE ${start.equal({ tenantId: p.tenantId, definitionId: p.definitionId, elementId: p.elementId })}`,
  { expectRows: 1 },
);

export function insertStart(tx: Transaction, row: Omit<InsertOf<typeof start>, 'tenantId'>): void {
  void tx.run(insert, { ...row, tenantId: tx.tenantId! });
}

/** Deletes the starts of every version of a process, because none of them starts by itself any more. */
export function deleteStarts(tx: Transaction, environment: Environment, key: string): void {
  void tx.run(drop, { tenantId: tx.tenantId!, environment, key });
}

/** Returns the starts that wait for a message or a signal. */
export function startsBy(
  tx: Transaction,
  environment: Environment,
  kind: 'message' | 'signal',
  name: string,
): Promise<WaitingStart[]> {
  return tx.run(findNamed, {
    tenantId: tx.tenantId!,
    environment,
    kind,
    name,
  });
}

/** Returns starts whose time has come, and locks them. */
export function dueStarts(tx: Transaction, environment: Environment, at: BusinessTime): Promise<WaitingStart[]> {
  return tx.run(findDue, { tenantId: tx.tenantId!, environment, at });
}

/** Sets the next time of a start; null if it has none. */
export function setNextStart(
  tx: Transaction,
  { definitionId, elementId }: Pick<WaitingStart, 'definitionId' | 'elementId'>,
  next: { readonly dueAt: BusinessTime | null; readonly timesLeft: number | null },
): void {
  void tx.run(setNext, {
    tenantId: tx.tenantId!,
    definitionId,
    elementId,
    ...next,
  });
}
