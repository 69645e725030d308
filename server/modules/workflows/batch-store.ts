/** The table of changes of many instances, and every statement about it. */
import type { BusinessTime } from '../../base/time.ts';
import type { Uuid } from '../../base/uuid.ts';
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
  type Transaction,
  uuid,
} from '../../database/index.ts';
import type { Mapping } from './migrate.ts';

/** The instances that are under way and meet all of this. */
export type BatchFilter = {
  readonly definitionKey: string;
  readonly definitionNumber: number | null;
  readonly hasIncident: boolean | null;
};

const PROGRESS = 'an instance is changed, or none is left';

const batch = table(
  'workflow_batch',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    action: code<'cancel' | 'migrate' | 'retry'>(),
    filter: json<BatchFilter>().impersonal('keys and numbers of definitions'),
    definitionId: uuid().nullable(),
    mappings: json<readonly Mapping[]>().impersonal('ids of elements of a process'),
    status: code<'running' | 'completed'>().changes(PROGRESS),
    total: integer(),
    done: integer().changes(PROGRESS),
    refused: integer().changes(PROGRESS),
    lastInstanceId: uuid().nullable().changes(PROGRESS),
    untilInstanceId: uuid().nullable(),
    createdBy: actor(),
    createdAt: businessTimestamp(),
    endedAt: businessTimestamp().nullable().changes(PROGRESS),
    version: integer().defaulted().unaudited().changes('each change sets the time and the version'),
    updatedAt: businessTimestamp().unaudited().changes('each change sets the time and the version'),
  },
  {
    owner: 'tenant',
    sandboxReset: 'emptied',
    insertedBy: 'app',
    example: {
      action: 'retry',
      status: 'running',
      filter: { definitionKey: 'onboarding', definitionNumber: null, hasIncident: null },
      mappings: [],
    },
  },
);

const columns = batch.except('tenantId');
export type Batch = RowOf<typeof columns>;

type Key = { tenantId: string; id: string };

const insert = statement<InsertOf<typeof batch>>('workflowBatch.insert', (p) => batch.insert(p));

const find = statement<Key, Batch>(
  'workflowBatch.find',
  (p) => sql`SELECT ${columns} FROM workflow_batch WHERE ${batch.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const lock = statement<Key, Batch>(
  'workflowBatch.lock',
  (p) => sql`SELECT ${columns} FROM workflow_batch WHERE ${batch.equal({ tenantId: p.tenantId, id: p.id })} FOR UPDATE`,
);

const findRunning = statement<{ tenantId: string; environment: Environment }, { id: string }>(
  'workflowBatch.running',
  (p) => sql`
  SELECT id FROM workflow_batch
    WHERE ${batch.equal({ tenantId: p.tenantId, environment: p.environment, status: 'running' })}`,
);

type Progress = Pick<Batch, 'status' | 'done' | 'refused' | 'lastInstanceId'> & {
  readonly endedAt: BusinessTime | null;
};

const advance = statement<Key & Progress & { at: BusinessTime }>(
  'workflowBatch.advance',
  (p) => sql`
  UPDATE workflow_batch SET ${batch.revise(p.at, {
    status: p.status,
    done: p.done,
    refused: p.refused,
    lastInstanceId: p.lastInstanceId,
    endedAt: p.endedAt,
  })} WHERE ${batch.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

type Matching = {
  tenantId: string;
  environment: Environment;
  definitionKey: string;
  definitionNumber: number | null;
  hasIncident: boolean | null;
};

/**
 * Finds the instances after one and up to another. Those that were changed may no longer meet the filter, so only their
 * ids say what is left.
 */
const match = statement<Matching & { after: string | null; until: string | null; most: number }, { id: Uuid }>(
  'workflowBatch.match',
  (p) => sql`
  SELECT id FROM workflow_instance
    WHERE tenant_id = ${p.tenantId} AND environment = ${p.environment} AND definition_key = ${p.definitionKey}
      AND status IN ('active', 'suspended')
      AND (${p.definitionNumber}::integer IS NULL OR definition_number = ${p.definitionNumber}::integer)
      AND (${p.hasIncident}::boolean IS NULL OR (incident_count > 0) = ${p.hasIncident}::boolean)
      AND (${p.after}::uuid IS NULL OR id > ${p.after}::uuid) AND (${p.until}::uuid IS NULL OR id <= ${p.until}::uuid)
    ORDER BY id LIMIT ${p.most}`,
);

export function insertBatch(tx: Transaction, row: Omit<InsertOf<typeof batch>, 'tenantId'>): void {
  void tx.run(insert, { ...row, tenantId: tx.tenantId! });
}

export async function findBatch(tx: Transaction, id: string): Promise<Batch | null> {
  return (await tx.run(find, { tenantId: tx.tenantId!, id }))[0] ?? null;
}

export async function lockBatch(tx: Transaction, id: string): Promise<Batch | null> {
  return (await tx.run(lock, { tenantId: tx.tenantId!, id }))[0] ?? null;
}

/** Whether a batch runs in an environment. */
export async function isBatchRunning(tx: Transaction, environment: Environment): Promise<boolean> {
  return (await tx.run(findRunning, { tenantId: tx.tenantId!, environment })).length > 0;
}

export function noteProgress(tx: Transaction, id: string, progress: Progress, at: BusinessTime): Promise<unknown> {
  return tx.run(advance, {
    tenantId: tx.tenantId!,
    id,
    ...progress,
    at,
  });
}

/** Returns the ids of the instances under way that meet a filter, the oldest first. */
export function matchingInstances(
  tx: Transaction,
  { environment, filter }: Pick<Batch, 'environment' | 'filter'>,
  most: number,
): Promise<Uuid[]> {
  return matched(
    tx,
    {
      environment,
      filter,
      after: null,
      until: null,
    },
    most,
  );
}

/** Returns the next instances that a batch has to change. */
export async function nextInstances(
  tx: Transaction,
  { environment, filter, lastInstanceId: after, untilInstanceId: until }: Batch,
  most: number,
): Promise<Uuid[]> {
  if (until === null) return [];
  return matched(
    tx,
    {
      environment,
      filter,
      after,
      until,
    },
    most,
  );
}

async function matched(
  tx: Transaction,
  {
    filter,
    ...range
  }: Pick<Batch, 'environment' | 'filter'> & { readonly after: string | null; readonly until: string | null },
  most: number,
): Promise<Uuid[]> {
  const rows = await tx.run(match, {
    tenantId: tx.tenantId!,
    ...filter,
    ...range,
    most,
  });
  return rows.map(({ id }) => id);
}
