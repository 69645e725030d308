/** The table of incidents, and every statement about it. */
import type { BusinessTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor,
  businessTimestamp,
  code,
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
import type { Position } from '../../request/pagination.ts';

type IncidentStatus = components['schemas']['WorkflowIncidentStatusFilter'];
type Actor = components['schemas']['Actor'];

const CHANGED = 'a person resolves the incident, or it stops nothing any more';

/** What stopped an instance at an element. It follows from the state; the row outlives it and says who resolved it. */
const incident = table(
  'workflow_incident',
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
    code: code(),
    message: text()
      .changes('its subject is erased')
      .unsealed('variables hold references such as ids and codes; an erasure empties the message')
      .erasedTo(''),
    status: code<IncidentStatus>()
      .changes(CHANGED)
      .erasedTo(sql`CASE WHEN status = 'resolved' THEN status ELSE 'cancelled' END`),
    resolvedBy: actor().nullable().defaulted().changes(CHANGED),
    createdAt: businessTimestamp(),
    resolvedAt: businessTimestamp().nullable().defaulted().changes(CHANGED),
    version: integer().defaulted().unaudited().changes('each change sets the time and the version'),
    updatedAt: businessTimestamp().unaudited().changes('each change sets the time and the version'),
  },
  {
    owner: 'applicationOrBusiness',
    mayHaveNoSubject: true,
    sandboxReset: 'cascade',
    insertedBy: 'app',
    example: { status: 'open', code: 'no_flow', message: 'No condition holds.' },
  },
);

const columns = incident.except('tenantId');
export type Incident = RowOf<typeof columns>;

type Key = { tenantId: string; id: string };
type OfInstance = { tenantId: string; instanceId: string };

const insert = statement<InsertOf<typeof incident>>('workflowIncident.insert', (p) => incident.insert(p));

const find = statement<Key, Incident>(
  'workflowIncident.find',
  (p) => sql`SELECT ${columns} FROM workflow_incident WHERE ${incident.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const lock = statement<Key, Incident>(
  'workflowIncident.lock',
  (p) => sql`
  SELECT ${columns} FROM workflow_incident WHERE ${incident.equal({ tenantId: p.tenantId, id: p.id })} FOR UPDATE`,
);

const findOpen = statement<OfInstance, { id: string; execution: number }>(
  'workflowIncident.open',
  (p) => sql`
  SELECT id, execution FROM workflow_incident
    WHERE ${incident.equal({ tenantId: p.tenantId, instanceId: p.instanceId, status: 'open' })}`,
);

const cancel = statement<OfInstance & { executions: readonly number[]; at: BusinessTime }>(
  'workflowIncident.cancel',
  (p) => sql`
  UPDATE workflow_incident SET ${incident.revise(p.at, { status: 'cancelled' })}
    WHERE ${incident.equal({ tenantId: p.tenantId, instanceId: p.instanceId, status: 'open' })}
      AND execution = ANY (${p.executions})`,
);

const resolve = statement<Key & { resolvedBy: Actor; at: BusinessTime }>(
  'workflowIncident.resolve',
  (p) => sql`
  UPDATE workflow_incident SET ${incident.revise(p.at, {
    status: 'resolved',
    resolvedBy: p.resolvedBy,
    resolvedAt: p.at,
  })} WHERE ${incident.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

const rename = statement<OfInstance & { execution: number; elementId: string; at: BusinessTime }>(
  'workflowIncident.rename',
  (p) => sql`
  UPDATE workflow_incident SET ${incident.revise(p.at, { elementId: p.elementId })}
    WHERE ${incident.equal({
      tenantId: p.tenantId,
      instanceId: p.instanceId,
      execution: p.execution,
      status: 'open',
    })}`,
);

/** Names the element of an open incident as another version of the process does. */
export function renameIncident(
  tx: Transaction,
  renamed: { readonly instanceId: string; readonly execution: number; readonly elementId: string },
  at: BusinessTime,
): void {
  void tx.run(rename, { tenantId: tx.tenantId!, ...renamed, at });
}

export function insertIncident(tx: Transaction, row: Omit<InsertOf<typeof incident>, 'tenantId'>): void {
  void tx.run(insert, { ...row, tenantId: tx.tenantId! });
}

export async function findIncident(tx: Transaction, id: string): Promise<Incident | null> {
  return (await tx.run(find, { tenantId: tx.tenantId!, id }))[0] ?? null;
}

export async function lockIncident(tx: Transaction, id: string): Promise<Incident | null> {
  return (await tx.run(lock, { tenantId: tx.tenantId!, id }))[0] ?? null;
}

/** Returns the open incidents of an instance. */
export function openIncidents(tx: Transaction, instanceId: string): Promise<{ id: string; execution: number }[]> {
  return tx.run(findOpen, { tenantId: tx.tenantId!, instanceId });
}

/** Cancels the open incidents of these executions. */
export function cancelIncidents(
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

export function resolveIncident(
  tx: Transaction,
  id: string,
  { resolvedBy, at }: { readonly resolvedBy: Actor; readonly at: BusinessTime },
): void {
  void tx.run(resolve, {
    tenantId: tx.tenantId!,
    id,
    resolvedBy,
    at,
  });
}

interface IncidentFilter {
  readonly environment: Environment;
  readonly statuses: readonly IncidentStatus[];
  readonly instanceId: string | undefined;
}

/** Lists incidents of an environment, the newest first. */
export function listIncidents(
  tx: Transaction,
  { environment, statuses, instanceId }: IncidentFilter,
  { after, count }: { readonly after: Position | null; readonly count: number },
): Promise<Incident[]> {
  const page = keyset(
    {
      key: incident.column('createdAt'),
      type: sql`timestamptz`,
      id: sql`id`,
      direction: 'desc',
    },
    after,
  );
  return tx.query<Incident>(sql`
    SELECT ${columns} FROM workflow_incident WHERE ${every([
      incident.equal({ tenantId: tx.tenantId!, environment }),
      statuses.length > 0 && sql`status = ANY (${statuses})`,
      instanceId !== undefined && incident.equal({ instanceId }),
      page.after,
    ])} ORDER BY ${page.order} LIMIT ${count}`);
}
