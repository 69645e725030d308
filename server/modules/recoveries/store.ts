import type { Environment } from '../../contract/operation.ts';
import { knex, sql, statement, type Transaction } from '../../database/index.ts';
import type { Document, InfractionReportDocument, RefundDocument } from '../../providers/directory/index.ts';
import type { Position } from '../../request/pagination.ts';
import type { StoredEventRow } from '../recovery-feed/store.ts';
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

/** Of one tenant and environment one writer at a time: a record that is new has no row that could be locked. */
const takeWriterLock = statement<Feed>('record.lockWriters', (p) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended('funds recovery records', 0) # hashtextextended(${p.tenantId}::text || ${p.env}, 0))`);

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
  await tx.run(takeWriterLock, { tenantId: tx.tenantId!, env });
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
