/**
 * Table `fr_record` and the statements that lock and save records. Used by the writing files of this module and,
 * through the index, by recovery-ingestion and recovery-retention. Take `lockRecordWriters` before any row lock;
 * another order can deadlock.
 */
import type { Environment } from '../../contract/operation.ts';
import { lockUntilCommit } from '../../database/advisory-lock.ts';
import {
  code,
  type Fragment,
  integer,
  json,
  type ParametersOf,
  type RowOf,
  sql,
  statement,
  table,
  text,
  businessTimestamp,
  timestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import type { DeadlineStage, RecoveryRecord, Role, Snapshot, Status } from './recovery.ts';

export const record = table(
  'fr_record',
  {
    id: uuid().named('funds_recovery_id'),
    environment: code<Environment>().named('env'),
    ispb: text().changes('the directory shows a new state of the recovery'),
    role: code<Role>().changes('the directory shows a new state of the recovery'),
    status: code<Status>().changes('the directory shows a new state of the recovery'),
    rootTransactionId: text(),
    revision: integer().changes('the directory shows a new state of the recovery'),
    createdAt: timestamp(),
    updatedAt: timestamp().named('last_modified').changes('the directory shows a new state of the recovery'),
    analysedAt: timestamp().nullable().changes('the directory shows a new state of the recovery'),
    nextDeadlineAt: businessTimestamp().nullable().changes('the directory shows a new state of the recovery'),
    nextDeadlineStage: code<DeadlineStage>().nullable().changes('the directory shows a new state of the recovery'),
    nextNoticeAt: businessTimestamp()
      .nullable()
      .defaulted('unless an insert sets the value')
      .changes('the service schedules the next look at the recovery'),
    // When to process the record again even if the directory announces nothing: at a deadline, or at the end of a wait.
    wakeAt: businessTimestamp().nullable().changes('the service schedules the next look at the recovery'),
    // Null if the record comes from a simulation: no directory was ever asked for it, nor will be.
    lastReadAt: timestamp().nullable().changes('the service schedules the next look at the recovery'),
    keys: json<readonly string[]>().named('published_keys').changes('the directory shows a new state of the recovery'),
    held: json<RecoveryRecord['held']>().changes('the directory shows a new state of the recovery'),
    snapshot: json<Snapshot>().changes('the directory shows a new state of the recovery'),
    erasedAt: timestamp().nullable().defaulted().changes('the retention job erases the payloads of the recovery'),
    tenantId: uuid(),
  },
  {
    owner: 'recovery',
    sandboxReset: 'emptied',
    insertedBy: 'app',
    example: {
      ispb: '1',
      role: 'SENT',
      rootTransactionId: 'r',
      status: 'TRACKED',
      keys: [],
    },
  },
);

export type Feed = { tenantId: string; environment: Environment };
export type RecoveryKey = { tenantId: string; id: string };

const known = record.select(
  'id',
  'ispb',
  'role',
  'status',
  'analysedAt',
  'nextDeadlineAt',
  'nextDeadlineStage',
  'nextNoticeAt',
  'wakeAt',
  'lastReadAt',
  'keys',
  'held',
  'snapshot',
);
interface KnownRow extends RowOf<typeof known> {
  readonly erased: boolean;
}

const isOneOf = (p: ParametersOf<Feed & { ids: readonly string[] }>): Fragment => sql`
  ${record.equal({ tenantId: p.tenantId, environment: p.environment })} AND funds_recovery_id = ANY (${p.ids}::uuid[])`;

const selectRecords = statement<Feed & { ids: readonly string[] }, KnownRow>(
  'record.find',
  (p) => sql`
  SELECT ${known}, erased_at IS NOT NULL AS erased FROM fr_record WHERE ${isOneOf(p)}`,
);

const selectRecordsForUpdate = statement<Feed & { ids: readonly string[] }, KnownRow>(
  'record.lock',
  (p) => sql`
  SELECT ${known}, erased_at IS NOT NULL AS erased FROM fr_record WHERE ${isOneOf(p)} ORDER BY funds_recovery_id
    FOR UPDATE`,
);

const upsertRecords = statement<Feed & { records: string }>(
  'record.save',
  (p) => sql`
  INSERT INTO fr_record AS known (${record.list(
    'tenantId',
    'environment',
    'id',
    'ispb',
    'role',
    'rootTransactionId',
    'status',
    'revision',
    'createdAt',
    'updatedAt',
    'analysedAt',
    'nextDeadlineAt',
    'nextDeadlineStage',
    'nextNoticeAt',
    'wakeAt',
    'lastReadAt',
    'keys',
    'held',
    'snapshot',
  )})
  SELECT ${p.tenantId}::uuid, ${p.environment}, id, ispb, role, snapshot #>> '{FundsRecovery,RootTransactionId}',
    status, jsonb_array_length(keys),
    (snapshot #>> '{FundsRecovery,CreationTime}')::timestamptz,
    (snapshot #>> '{FundsRecovery,LastModified}')::timestamptz,
    "analysedAt", "nextDeadlineAt", "nextDeadlineStage", "nextNoticeAt", "wakeAt", "lastReadAt", keys, held, snapshot
  FROM jsonb_to_recordset(${p.records}::jsonb) AS given (
    id uuid, ispb text, role text, status text, keys jsonb, held jsonb, snapshot jsonb,
    "analysedAt" timestamptz, "nextDeadlineAt" timestamptz, "nextDeadlineStage" text, "nextNoticeAt" timestamptz,
    "wakeAt" timestamptz, "lastReadAt" timestamptz)
  ON CONFLICT (tenant_id, env, funds_recovery_id) DO UPDATE SET
    ${record.assignExcluded(
      'ispb',
      'role',
      'status',
      'revision',
      'updatedAt',
      'analysedAt',
      'nextDeadlineAt',
      'nextDeadlineStage',
      'nextNoticeAt',
      'wakeAt',
      'keys',
      'held',
      'snapshot',
    )},
    last_read_at = greatest(known.last_read_at, excluded.last_read_at)`,
);

/**
 * Takes the lock of the record writers. Must be called before any row of the same tenant and environment is locked, the
 * row of its stream included.
 */
export async function lockRecordWriters(tx: Transaction, environment: Environment): Promise<void> {
  // Only one writer runs at a time for a tenant and environment, because a new record has no row that could be locked.
  await lockUntilCommit(tx, 'funds recovery records', `${tx.tenantId!} ${environment}`);
}

/** Reads records without waiting for locks. */
export async function readRecords(
  tx: Transaction,
  environment: Environment,
  ids: readonly string[],
): Promise<Map<string, RecoveryRecord>> {
  return byId(await tx.run(selectRecords, { tenantId: tx.tenantId!, environment, ids }));
}

/** Locks records in the order of their ids, so that two writers never wait for each other. */
export async function lockRecords(
  tx: Transaction,
  environment: Environment,
  ids: readonly string[],
): Promise<Map<string, RecoveryRecord>> {
  return byId(await tx.run(selectRecordsForUpdate, { tenantId: tx.tenantId!, environment, ids }));
}

export async function saveRecords(
  tx: Transaction,
  environment: Environment,
  records: Iterable<RecoveryRecord>,
): Promise<void> {
  const rows = [...records].map(({ nextDeadline, ...record }) => ({
    ...record,
    nextDeadlineAt: nextDeadline?.at ?? null,
    nextDeadlineStage: nextDeadline?.stage ?? null,
  }));
  await tx.run(upsertRecords, { tenantId: tx.tenantId!, environment, records: JSON.stringify(rows) });
}

function byId(rows: readonly KnownRow[]): Map<string, RecoveryRecord> {
  return new Map(
    rows.map(({ nextDeadlineAt: at, nextDeadlineStage: stage, ...row }) => {
      const nextDeadline = at === null || stage === null ? null : { stage, at };
      return [row.id, { ...row, nextDeadline }];
    }),
  );
}
