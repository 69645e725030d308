/** The table of instances, and the statements about single ones. */
import type { BusinessTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor,
  businessTimestamp,
  code,
  type InsertOf,
  integer,
  json,
  type RowOf,
  sql,
  statement,
  table,
  text,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import type { Subject } from '../../rules/subject.ts';
import { bySubject, keyOf, type OfSubject } from '../../rules/subject-rows.ts';
import { type State, stateOf, type Variables } from '../../workflow/kernel/state.ts';
import { hasCommands } from './waiting-store.ts';

export type InstanceStatus = components['schemas']['WorkflowInstanceStatusFilter'];

const REFERENCES = 'variables hold references such as ids and codes; an erasure empties them';
const MIGRATED = 'the instance continues by another version';
const STEPPED = 'a step of the instance is computed, it is suspended or resumed, or its subject is erased';

export const instance = table(
  'workflow_instance',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    definitionId: uuid().changes(MIGRATED),
    definitionKey: code(),
    definitionNumber: integer().changes(MIGRATED),
    businessKey: text().nullable().impersonal('an id of the tenant, limited to letters and digits of ids'),
    applicationId: uuid().nullable(),
    businessId: uuid().nullable(),
    // The instance that has called this one, and what waits there for its result; depth is how many have led to it by
    // calls and messages, and the root is the first of them. A root has none.
    parentInstanceId: uuid().nullable(),
    parentExecution: integer().nullable().changes('its result was given to its caller'),
    rootInstanceId: uuid().nullable(),
    depth: integer(),
    status: code<InstanceStatus>().changes(STEPPED).erasedTo('erased'),
    endEvent: code().nullable().changes(STEPPED),
    incidentCount: integer().changes(STEPPED),
    // Null until the first step is computed, and after an erasure.
    state: json<State | null>().nullable().changes(STEPPED).unsealed(REFERENCES).erasedTo(null),
    variables: json<Variables>().changes(STEPPED).unsealed(REFERENCES).erasedTo({}),
    startedBy: actor(),
    startedAt: businessTimestamp(),
    endedAt: businessTimestamp().nullable().changes(STEPPED),
    version: integer().defaulted().unaudited().changes('each change sets the time and the version'),
    updatedAt: businessTimestamp().unaudited().changes('each change sets the time and the version'),
  },
  {
    owner: 'applicationOrBusiness',
    mayHaveNoSubject: true,
    sandboxReset: { emptiedBefore: 'definition' },
    insertedBy: 'app',
    example: {
      status: 'active',
      incidentCount: 0,
      depth: 0,
      variables: {},
    },
  },
);

const columns = instance.except('tenantId');
export type Instance = RowOf<typeof columns>;

type Key = { tenantId: string; id: string };

const insert = statement<InsertOf<typeof instance>>('workflowInstance.insert', (p) => instance.insert(p));

const find = statement<Key, Instance>(
  'workflowInstance.find',
  (p) => sql`SELECT ${columns} FROM workflow_instance WHERE ${instance.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const lock = statement<Key, Instance>(
  'workflowInstance.lock',
  (p) => sql`
  SELECT ${columns} FROM workflow_instance WHERE ${instance.equal({ tenantId: p.tenantId, id: p.id })} FOR UPDATE`,
);

const findRunning = statement<
  {
    tenantId: string;
    environment: Environment;
    definitionKey: string;
    businessKey: string;
  },
  { id: string }
>(
  'workflowInstance.running',
  (p) => sql`
  SELECT id FROM workflow_instance WHERE ${instance.equal({
    tenantId: p.tenantId,
    environment: p.environment,
    definitionKey: p.definitionKey,
    businessKey: p.businessKey,
  })} AND status IN ('active', 'suspended')`,
);

const findAbout = bySubject((member, kind) =>
  statement<OfSubject & { definitionId: string }, { id: string }>(
    `workflowInstance.about.${kind}`,
    (p) => sql`
  SELECT i.id FROM workflow_instance i
    JOIN definition d ON d.tenant_id = i.tenant_id AND d.id = ${p.definitionId}
    WHERE i.tenant_id = ${p.tenantId} AND i.${instance.column(member)} = ${p.subjectId} AND i.definition_key = d.key
      AND i.status IN ('active', 'suspended') LIMIT 1`,
  ),
);

/** Tells whether an instance of any version of a process is under way about a subject. */
export async function isRunningAbout(tx: Transaction, definitionId: string, subject: Subject): Promise<boolean> {
  return (await tx.run(findAbout(subject), { ...keyOf(tx, subject), definitionId })).length > 0;
}

export type Stepped = Pick<Instance, 'status' | 'endEvent' | 'incidentCount' | 'state' | 'variables'> & {
  readonly endedAt: BusinessTime | null;
};

const update = statement<Key & Stepped & { at: BusinessTime }, Instance>(
  'workflowInstance.step',
  (p) => sql`
  UPDATE workflow_instance SET ${instance.revise(p.at, {
    status: p.status,
    endEvent: p.endEvent,
    incidentCount: p.incidentCount,
    state: p.state,
    variables: p.variables,
    endedAt: p.endedAt,
  })} WHERE ${instance.equal({ tenantId: p.tenantId, id: p.id })} RETURNING ${columns}`,
  { expectRows: 1 },
);

const setStatus = statement<Key & { status: InstanceStatus; at: BusinessTime }>(
  'workflowInstance.setStatus',
  (p) => sql`
  UPDATE workflow_instance SET ${instance.revise(p.at, { status: p.status })}
    WHERE ${instance.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

type InVersion = { definitionId: string; definitionNumber: number; state: State };

const setVersion = statement<Key & InVersion & { at: BusinessTime }>(
  'workflowInstance.setDefinition',
  (p) => sql`
  UPDATE workflow_instance SET ${instance.revise(p.at, {
    definitionId: p.definitionId,
    definitionNumber: p.definitionNumber,
    state: p.state,
  })} WHERE ${instance.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

/** Lets an instance continue by another version, from the same place. */
export function setDefinition(
  tx: Transaction,
  id: string,
  version: Readonly<InVersion>,
  at: BusinessTime,
): Promise<unknown> {
  return tx.run(setVersion, {
    tenantId: tx.tenantId!,
    id,
    ...version,
    at,
  });
}

export function insertInstance(tx: Transaction, row: Omit<InsertOf<typeof instance>, 'tenantId'>): void {
  void tx.run(insert, { ...row, tenantId: tx.tenantId! });
}

/** Reads the state of a row in the format of this release. */
const upToDate = (row: Instance): Instance => (row.state === null ? row : { ...row, state: stateOf(row.state) });

export async function findInstance(tx: Transaction, id: string): Promise<Instance | null> {
  const [found] = await tx.run(find, { tenantId: tx.tenantId!, id });
  return found === undefined ? null : upToDate(found);
}

/** An instance whose row this transaction has locked or inserted. */
export interface LockedInstance extends Instance {
  /** Whether queued commands exist. They are inserted and deleted only under this lock. */
  readonly isBusy: boolean;
}

/** Finds an instance and locks it until the end of the transaction. This is the only lock of everything in it. */
export async function lockInstance(tx: Transaction, id: string): Promise<LockedInstance | null> {
  // Pipelined. Under READ COMMITTED the second statement takes its snapshot after the first one has its lock.
  const [[locked], isBusy] = await Promise.all([tx.run(lock, { tenantId: tx.tenantId!, id }), hasCommands(tx, id)]);
  return locked === undefined ? null : { ...upToDate(locked), isBusy };
}

/** Tells whether an instance with this business key is under way. */
export async function isRunning(
  tx: Transaction,
  key: { readonly environment: Environment; readonly definitionKey: string; readonly businessKey: string },
): Promise<boolean> {
  return (await tx.run(findRunning, { tenantId: tx.tenantId!, ...key })).length > 0;
}

/** Writes the result of a step, and returns the instance after it. */
export async function updateInstance(tx: Transaction, id: string, row: Stepped, at: BusinessTime): Promise<Instance> {
  const [stepped] = await tx.run(update, {
    tenantId: tx.tenantId!,
    id,
    ...row,
    at,
  });
  return stepped!;
}

/** Suspends an instance that the caller has locked, or lets it go on. */
export function setInstanceStatus(
  tx: Transaction,
  id: string,
  status: 'active' | 'suspended',
  at: BusinessTime,
): Promise<unknown> {
  return tx.run(setStatus, {
    tenantId: tx.tenantId!,
    id,
    status,
    at,
  });
}

const findCalled = statement<
  { tenantId: string; parentInstanceId: string },
  { id: string; parentExecution: number | null; status: InstanceStatus }
>(
  'workflowInstance.calledBy',
  (p) => sql`
  SELECT id, parent_execution AS "parentExecution", status FROM workflow_instance
    WHERE ${instance.equal({ tenantId: p.tenantId, parentInstanceId: p.parentInstanceId })} ORDER BY id`,
);

/** Returns the instances that an instance has called, ended ones included. */
export function calledBy(
  tx: Transaction,
  parentInstanceId: string,
): Promise<{ id: string; parentExecution: number | null; status: InstanceStatus }[]> {
  return tx.run(findCalled, { tenantId: tx.tenantId!, parentInstanceId });
}

const setReturned = statement<Key & { at: BusinessTime }>(
  'workflowInstance.returned',
  (p) => sql`
  UPDATE workflow_instance SET ${instance.revise(p.at, { parentExecution: null })}
    WHERE ${instance.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

/** Notes that nothing waits for the result of an instance any more. */
export function noteReturned(tx: Transaction, id: string, at: BusinessTime): void {
  void tx.run(setReturned, { tenantId: tx.tenantId!, id, at });
}
