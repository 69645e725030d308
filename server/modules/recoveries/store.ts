import type { Environment } from '../../contract/operation.ts';
import { lockUntilCommit } from '../../database/advisory-lock.ts';
import { knex, sql, statement, type Transaction } from '../../database/index.ts';
import type { Document, InfractionReportDocument, RefundDocument } from '../../providers/directory/index.ts';
import type { Position } from '../../request/pagination.ts';
import type { StoredEventRow } from '../recovery-feed/index.ts';
import type { DeadlineStage, NextDeadline, RecoveryRecord, Role, Snapshot, Status } from './recovery.ts';

type Feed = { tenantId: string; env: string };

interface LockedRecordRow {
  readonly funds_recovery_id: string;
  readonly ispb: string;
  readonly role: Role;
  readonly status: Status;
  readonly analysed_at: string | null;
  readonly next_deadline_at: string | null;
  readonly next_deadline_stage: DeadlineStage | null;
  readonly wake_at: string | null;
  readonly published_keys: readonly string[];
  readonly held: { readonly [status: string]: string };
  readonly snapshot: Snapshot;
  readonly erased: boolean;
}

const recordColumns = sql`funds_recovery_id, ispb, role, status, analysed_at, next_deadline_at, next_deadline_stage, wake_at, published_keys, held, snapshot, erased_at IS NOT NULL AS erased`;

const selectRecords = statement<Feed & { ids: string }, LockedRecordRow>('record.find', (p) => sql`
  SELECT ${recordColumns} FROM fr_record
  WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND funds_recovery_id IN (SELECT value::uuid FROM jsonb_array_elements_text(${p.ids}::jsonb))`);

const selectRecordsForUpdate = statement<Feed & { ids: string }, LockedRecordRow>('record.lock', (p) => sql`
  SELECT ${recordColumns} FROM fr_record
  WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND funds_recovery_id IN (SELECT value::uuid FROM jsonb_array_elements_text(${p.ids}::jsonb))
  ORDER BY funds_recovery_id FOR UPDATE`);

const upsertRecords = statement<Feed & { records: string; readAt: Date }>('record.save', (p) => sql`
  INSERT INTO fr_record AS known (tenant_id, env, funds_recovery_id, ispb, role, root_transaction_id, status, revision, created_at, last_modified,
    analysed_at, next_deadline_at, next_deadline_stage, wake_at, last_read_at, published_keys, held, snapshot)
  SELECT ${p.tenantId}::uuid, ${p.env}, id, ispb, role, snapshot #>> '{FundsRecovery,RootTransactionId}', status, jsonb_array_length(keys),
    (snapshot #>> '{FundsRecovery,CreationTime}')::timestamptz, (snapshot #>> '{FundsRecovery,LastModified}')::timestamptz,
    "analysedAt", "deadlineAt", "deadlineStage", "wakeAt", ${p.readAt}::timestamptz, keys, held, snapshot
  FROM jsonb_to_recordset(${p.records}::jsonb) AS given (id uuid, ispb text, role text, status text, keys jsonb, held jsonb, snapshot jsonb,
    "analysedAt" timestamptz, "deadlineAt" timestamptz, "deadlineStage" text, "wakeAt" timestamptz)
  ON CONFLICT (tenant_id, env, funds_recovery_id) DO UPDATE SET
    ispb = excluded.ispb, role = excluded.role, status = excluded.status, revision = excluded.revision, last_modified = excluded.last_modified,
    analysed_at = excluded.analysed_at, next_deadline_at = excluded.next_deadline_at, next_deadline_stage = excluded.next_deadline_stage,
    wake_at = excluded.wake_at, last_read_at = greatest(known.last_read_at, excluded.last_read_at),
    published_keys = excluded.published_keys, held = excluded.held, snapshot = excluded.snapshot`);

/** Must come before every row of the same tenant and environment is locked, its stream included. */
export async function lockRecordWriters(tx: Transaction, env: Environment): Promise<void> {
  // One writer at a time for a tenant and environment, because a record that is new has no row that could be locked.
  await lockUntilCommit(tx, 'funds recovery records', `${tx.tenantId!} ${env}`);
}

/** Waits for nobody. */
export async function readRecords(tx: Transaction, env: Environment, ids: readonly string[]): Promise<Map<string, RecoveryRecord>> {
  return byId(await tx.run(selectRecords, { tenantId: tx.tenantId!, env, ids: JSON.stringify(ids) }));
}

/** In the order of their ids, so that two writers never wait for each other. */
export async function lockRecords(tx: Transaction, env: Environment, ids: readonly string[]): Promise<Map<string, RecoveryRecord>> {
  return byId(await tx.run(selectRecordsForUpdate, { tenantId: tx.tenantId!, env, ids: JSON.stringify(ids) }));
}

export async function saveRecords(tx: Transaction, env: Environment, records: Iterable<RecoveryRecord>, readAt: Date): Promise<void> {
  const rows = [...records].map(({ nextDeadline, ...record }) => ({ ...record, deadlineAt: nextDeadline?.at ?? null, deadlineStage: nextDeadline?.stage ?? null }));
  await tx.run(upsertRecords, { tenantId: tx.tenantId!, env, records: JSON.stringify(rows), readAt });
}

function byId(rows: readonly LockedRecordRow[]): Map<string, RecoveryRecord> {
  return new Map(rows.map((row) => [row.funds_recovery_id, {
    id: row.funds_recovery_id, ispb: row.ispb, role: row.role, status: row.status, keys: row.published_keys, held: row.held,
    analysedAt: row.analysed_at, wakeAt: row.wake_at, snapshot: row.snapshot, erased: row.erased,
    nextDeadline: row.next_deadline_at === null || row.next_deadline_stage === null ? null : { stage: row.next_deadline_stage, at: row.next_deadline_at },
  }]));
}

export interface RecordRow {
  readonly env: Environment;
  readonly funds_recovery_id: string;
  readonly ispb: string;
  readonly role: Role;
  readonly status: Status;
  readonly root_transaction_id: string;
  readonly revision: number;
  readonly created_at: string;
  readonly last_modified: string;
  readonly analysed_at: string | null;
  readonly next_deadline_at: string | null;
  readonly next_deadline_stage: NextDeadline['stage'] | null;
  readonly situation: string | null;
  /** Of the root transaction, as the graph tells it. */
  readonly root_amount: string | null;
  readonly reports: readonly InfractionReportDocument[];
  readonly refunds: readonly RefundDocument[];
}

/** Without the graph, which is large and which few ask for. */
const listedColumns = [
  'env', 'funds_recovery_id', 'ispb', 'role', 'status', 'root_transaction_id', 'revision', 'created_at', 'last_modified', 'analysed_at',
  'next_deadline_at', 'next_deadline_stage',
  sql`snapshot #>> '{FundsRecovery,SituationType}' AS situation`,
  sql`jsonb_path_query_first(snapshot, '$.TrackingGraph.Transactions[*] ? (@.Id == $root).Amount', jsonb_build_object('root', root_transaction_id)) #>> '{}' AS root_amount`,
  sql`snapshot -> 'InfractionReports' AS reports`,
  sql`snapshot -> 'Refunds' AS refunds`,
];

type RecoveryKey = { tenantId: string; id: string };

/** Of each environment that has it. */
export const findRecords = statement<RecoveryKey, RecordRow>('recovery.find', (p) =>
  knex('fr_record').select(listedColumns).where({ tenant_id: p.tenantId, funds_recovery_id: p.id }));

export const findGraph = statement<RecoveryKey & { env: string }, { graph: Document | null }>('recovery.graph', (p) =>
  knex('fr_record').select(sql`nullif(snapshot -> 'TrackingGraph', 'null') AS graph`).where({ tenant_id: p.tenantId, env: p.env, funds_recovery_id: p.id }));

export const readTimeline = statement<RecoveryKey & { env: string; seq: number; count: number }, StoredEventRow>('recovery.timeline', (p) => sql`
  SELECT seq, event_id, funds_recovery_id, event_type, status, occurred_at, raw_payload::text AS payload
  FROM fr_event WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND funds_recovery_id = ${p.id}::uuid AND seq > ${p.seq}::bigint ORDER BY seq LIMIT ${p.count}::integer`);

export interface RecordFilter {
  readonly environment: Environment;
  readonly statuses: readonly string[];
  readonly role?: Role | undefined;
  readonly updatedAfter?: Date | undefined;
}

/** At most `count` records after the position, the last changed first. */
export function listRecords(tx: Transaction, tenantId: string, filter: RecordFilter, after: Position | null, count: number): Promise<RecordRow[]> {
  return tx.query<RecordRow>(listQuery(tenantId, filter, after, count));
}

export function listQuery(tenantId: string, { environment, statuses, role, updatedAfter }: RecordFilter, after: Position | null, count: number) {
  const query = knex('fr_record').select(listedColumns).where({ tenant_id: tenantId, env: environment })
    .orderBy([{ column: 'last_modified', order: 'desc' }, { column: 'funds_recovery_id', order: 'desc' }]).limit(count);
  if (statuses.length > 0) query.whereIn('status', statuses);
  if (role !== undefined) query.where('role', role);
  if (updatedAfter !== undefined) query.where('last_modified', '>=', updatedAfter);
  if (after !== null) query.where(sql`(last_modified, funds_recovery_id) < (${after[0]!}::timestamptz, ${after[1]!}::uuid)`);
  return query;
}

const MAX_DEADLINES = 100;

export interface DueRow {
  readonly funds_recovery_id: string;
  readonly next_deadline_stage: NextDeadline['stage'];
  readonly next_deadline_at: string;
}

/** One that has passed is still there until the directory was asked whether it was missed. */
export const findDeadlines = statement<{ tenantId: string; env: string }, DueRow>('record.deadlines', (p) => sql`
  SELECT funds_recovery_id, next_deadline_stage, next_deadline_at FROM fr_record
  WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND next_deadline_at IS NOT NULL ORDER BY next_deadline_at LIMIT ${MAX_DEADLINES}`);

type ReadTime = Feed & { ispb: string; at: Date };

/** As many as are read and written at once. */
const dueBatch = 50;

const selectDue = statement<ReadTime, { id: string }>('record.due', (p) => sql`
  SELECT funds_recovery_id AS id FROM fr_record WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND ispb = ${p.ispb} AND wake_at <= ${p.at}::timestamptz
  ORDER BY wake_at LIMIT ${dueBatch}`);

const selectStale = statement<ReadTime, { id: string }>('record.stale', (p) => sql`
  SELECT funds_recovery_id AS id FROM fr_record
  WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND ispb = ${p.ispb} AND status NOT IN ('COMPLETED', 'CANCELLED') AND last_read_at < ${p.at}::timestamptz
  ORDER BY last_read_at LIMIT ${dueBatch}`);

const updateWakeTime = statement<{ tenantId: string; env: string; id: string; at: Date; wakeAt: Date }>('record.postpone', (p) => sql`
  UPDATE fr_record SET last_read_at = ${p.at}::timestamptz, wake_at = CASE WHEN wake_at IS NOT NULL THEN ${p.wakeAt}::timestamptz END
  WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND funds_recovery_id = ${p.id}::uuid`);

/** Records that must be looked at by now; of those whose time has come the most urgent. */
export async function findDueRecords(tx: Transaction, env: Environment, ispb: string, at: Date): Promise<string[]> {
  return (await tx.run(selectDue, { tenantId: tx.tenantId!, env, ispb, at })).map(({ id }) => id);
}

/** Records that have not ended and were not read since. */
export async function findStaleRecords(tx: Transaction, env: Environment, ispb: string, at: Date): Promise<string[]> {
  return (await tx.run(selectStale, { tenantId: tx.tenantId!, env, ispb, at })).map(({ id }) => id);
}

/** The directory shows nothing of it: it is asked again later. */
export async function postponeRecord(tx: Transaction, env: Environment, id: string, at: Date, wakeAt: Date): Promise<void> {
  await tx.run(updateWakeTime, { tenantId: tx.tenantId!, env, id, at, wakeAt });
}

type SimulatedRow = { tenantId: string; id: string; ispb: string; root: string; status: string; at: Date; analysedAt: Date | null; key: string; snapshot: string };

/**
 * A record that no directory was ever read for (`last_read_at`), so that ingestion leaves it alone. One of the sandbox's
 * directory stays as it was last read, whatever is simulated about it.
 */
export const upsertSimulatedRecord = statement<SimulatedRow>('simulation.saveRecord', (p) => sql`
  INSERT INTO fr_record AS known (tenant_id, env, funds_recovery_id, ispb, role, root_transaction_id, status, revision, created_at, last_modified,
    analysed_at, published_keys, held, snapshot)
  VALUES (${p.tenantId}::uuid, 'sandbox', ${p.id}::uuid, ${p.ispb}, 'SENT', ${p.root}, ${p.status}, 1, ${p.at}::timestamptz, ${p.at}::timestamptz, ${p.analysedAt}::timestamptz, jsonb_build_array(${p.key}::text), '{}', ${p.snapshot}::jsonb)
  ON CONFLICT (tenant_id, env, funds_recovery_id) DO UPDATE SET
    status = excluded.status, revision = known.revision + 1, last_modified = excluded.last_modified,
    analysed_at = coalesce(known.analysed_at, excluded.analysed_at), published_keys = known.published_keys || excluded.published_keys,
    snapshot = jsonb_set(excluded.snapshot, '{FundsRecovery,CreationTime}', known.snapshot #> '{FundsRecovery,CreationTime}')
  WHERE known.last_read_at IS NULL`);

export const findRecovery = statement<{ tenantId: string; id: string }, { env: string; status: string; erased: boolean }>('feed.findRecovery', (p) => sql`
  SELECT env, fr_recovery.status, erased_at IS NOT NULL AS erased FROM fr_recovery LEFT JOIN fr_record USING (tenant_id, env, funds_recovery_id)
  WHERE tenant_id = ${p.tenantId}::uuid AND funds_recovery_id = ${p.id}::uuid`);
