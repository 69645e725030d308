import type { Environment } from '../../../../contract/principal.ts';
import { sql, statement, type Transaction } from '../../../../database/index.ts';
import type { RecoveryRecord, Role, Snapshot } from '../record.ts';
import type { DeadlineStage } from '../fact.ts';
import type { Status } from '../status.ts';

type Feed = { tenantId: string; env: string };

interface RecordRow {
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

const columns = sql`funds_recovery_id, ispb, role, status, analysed_at, next_deadline_at, next_deadline_stage, wake_at, published_keys, held, snapshot, erased_at IS NOT NULL AS erased`;

/** Of one tenant and environment one writer at a time: a record that is new has no row that could be locked. */
const lockWriters = statement<Feed>('record.lockWriters', (p) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended('funds recovery records', 0) # hashtextextended(${p.tenantId}::text || ${p.env}, 0))`);

const find = statement<Feed & { ids: string }, RecordRow>('record.find', (p) => sql`
  SELECT ${columns} FROM fr_record
  WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND funds_recovery_id IN (SELECT value::uuid FROM jsonb_array_elements_text(${p.ids}::jsonb))`);

const lock = statement<Feed & { ids: string }, RecordRow>('record.lock', (p) => sql`
  SELECT ${columns} FROM fr_record
  WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND funds_recovery_id IN (SELECT value::uuid FROM jsonb_array_elements_text(${p.ids}::jsonb))
  ORDER BY funds_recovery_id FOR UPDATE`);

const save = statement<Feed & { records: string; readAt: Date }>('record.save', (p) => sql`
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
  await tx.run(lockWriters, { tenantId: tx.tenantId!, env });
}

/** Waits for nobody. */
export async function readRecords(tx: Transaction, env: Environment, ids: readonly string[]): Promise<Map<string, RecoveryRecord>> {
  return byId(await tx.run(find, { tenantId: tx.tenantId!, env, ids: JSON.stringify(ids) }));
}

/** In the order of their ids, so that two writers never wait for each other. */
export async function lockRecords(tx: Transaction, env: Environment, ids: readonly string[]): Promise<Map<string, RecoveryRecord>> {
  return byId(await tx.run(lock, { tenantId: tx.tenantId!, env, ids: JSON.stringify(ids) }));
}

export async function saveRecords(tx: Transaction, env: Environment, records: Iterable<RecoveryRecord>, readAt: Date): Promise<void> {
  const rows = [...records].map(({ nextDeadline, ...record }) => ({ ...record, deadlineAt: nextDeadline?.at ?? null, deadlineStage: nextDeadline?.stage ?? null }));
  await tx.run(save, { tenantId: tx.tenantId!, env, records: JSON.stringify(rows), readAt });
}

function byId(rows: readonly RecordRow[]): Map<string, RecoveryRecord> {
  return new Map(rows.map((row) => [row.funds_recovery_id, {
    id: row.funds_recovery_id, ispb: row.ispb, role: row.role, status: row.status, keys: row.published_keys, held: row.held,
    analysedAt: row.analysed_at, wakeAt: row.wake_at, snapshot: row.snapshot, erased: row.erased,
    nextDeadline: row.next_deadline_at === null || row.next_deadline_stage === null ? null : { stage: row.next_deadline_stage, at: row.next_deadline_at },
  }]));
}
