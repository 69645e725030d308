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
  timestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import type {
  Document,
  DocumentValue,
  InfractionReportDocument,
  RefundDocument,
} from '../../providers/directory/index.ts';
import { event, recovery, storedEvent, type StoredEventRow } from '../recovery-feed/index.ts';
import type { DeadlineStage, RecoveryRecord, Role, Snapshot, Status } from './recovery.ts';

export const record = table(
  'fr_record',
  {
    id: uuid().named('funds_recovery_id'),
    environment: code<Environment>().named('env'),
    ispb: text().changes('the directory shows a recovery anew'),
    role: code<Role>().changes('the directory shows a recovery anew'),
    status: code<Status>().changes('the directory shows a recovery anew'),
    rootTransactionId: text(),
    revision: integer().changes('the directory shows a recovery anew'),
    createdAt: timestamp(),
    updatedAt: timestamp().named('last_modified').changes('the directory shows a recovery anew'),
    analysedAt: timestamp().nullable().changes('the directory shows a recovery anew'),
    nextDeadlineAt: timestamp().nullable().changes('the directory shows a recovery anew'),
    nextDeadlineStage: code<DeadlineStage>().nullable().changes('the directory shows a recovery anew'),
    nextNoticeAt: timestamp().nullable().defaulted('unless an insert names it').changes('when to look at it again'),
    // When to process the record again even if the directory announces nothing: at a deadline, or at the end of a wait.
    wakeAt: timestamp().nullable().changes('when to look at it again'),
    // Null if the record comes from a simulation: no directory was ever asked for it, nor will be.
    lastReadAt: timestamp().nullable().changes('when to look at it again'),
    keys: json<readonly string[]>().named('published_keys').changes('the directory shows a recovery anew'),
    held: json<RecoveryRecord['held']>().changes('the directory shows a recovery anew'),
    snapshot: json<Snapshot>().changes('the directory shows a recovery anew'),
    erasedAt: timestamp().nullable().defaulted().changes('the payloads of a recovery are erased'),
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

type Feed = { tenantId: string; environment: Environment };
type RecoveryKey = { tenantId: string; id: string };

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
  FROM jsonb_to_recordset(${p.records}::jsonb)
    AS given (id uuid, ispb text, role text, status text, keys jsonb, held jsonb, snapshot jsonb,
    "analysedAt" timestamptz, "nextDeadlineAt" timestamptz, "nextDeadlineStage" text, "nextNoticeAt" timestamptz,
      "wakeAt" timestamptz, "lastReadAt" timestamptz)
  ON CONFLICT (tenant_id, env, funds_recovery_id) DO UPDATE SET
    ${record.assignExcluded('ispb', 'role', 'status', 'revision', 'updatedAt', 'analysedAt', 'nextDeadlineAt', 'nextDeadlineStage', 'nextNoticeAt', 'wakeAt', 'keys', 'held', 'snapshot')},
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
    rows.map(({ nextDeadlineAt: at, nextDeadlineStage: stage, ...row }) => [
      row.id,
      {
        ...row,
        nextDeadline: at === null || stage === null ? null : { stage, at },
      },
    ]),
  );
}

/** Columns of a listed record. Of the graph only the payments, from which amounts follow. */
const shown = record.select(
  'environment',
  'id',
  'ispb',
  'role',
  'status',
  'rootTransactionId',
  'revision',
  'createdAt',
  'updatedAt',
  'analysedAt',
  'nextDeadlineAt',
  'nextDeadlineStage',
);

export const listed = sql`${shown}, snapshot #>> '{FundsRecovery,SituationType}' AS situation,
  snapshot #> '{TrackingGraph,Transactions}' AS payments,
  snapshot -> 'InfractionReports' AS reports, snapshot -> 'Refunds' AS refunds`;

export interface RecordRow extends RowOf<typeof shown> {
  readonly situation: string | null;
  /** Payments of the tracking graph, as the directory sent them, or null without a graph. */
  readonly payments: DocumentValue | null;
  readonly reports: readonly InfractionReportDocument[];
  readonly refunds: readonly RefundDocument[];
}

/** Finds the recovery in each environment that has it. */
export const findRecords = statement<RecoveryKey, RecordRow>(
  'recovery.find',
  (p) => sql`
  SELECT ${listed} FROM fr_record WHERE ${record.equal({ tenantId: p.tenantId, id: p.id })}`,
);

export const findGraph = statement<Feed & RecoveryKey, { graph: Document | null }>(
  'recovery.graph',
  (p) => sql`
  SELECT nullif(snapshot -> 'TrackingGraph', 'null') AS graph FROM fr_record
  WHERE ${record.equal({ tenantId: p.tenantId, environment: p.environment, id: p.id })}`,
);

export const readTimeline = statement<Feed & RecoveryKey & { seq: number; count: number }, StoredEventRow>(
  'recovery.timeline',
  (p) => sql`
  SELECT ${storedEvent} FROM fr_event
  WHERE ${event.equal({ tenantId: p.tenantId, environment: p.environment, fundsRecoveryId: p.id })}
    AND seq > ${p.seq}::bigint ORDER BY seq LIMIT ${p.count}::integer`,
);

const MAX_DEADLINES = 100;

interface DeadlineRow {
  readonly fundsRecoveryId: string;
  readonly stage: DeadlineStage;
  readonly dueAt: string;
}

/**
 * Lists the next deadlines. A deadline that has passed stays until a read of the directory shows whether it was missed.
 */
export const findDeadlines = statement<Feed, DeadlineRow>(
  'record.deadlines',
  (p) => sql`
  SELECT funds_recovery_id AS "fundsRecoveryId", next_deadline_stage AS stage, next_deadline_at AS "dueAt"
    FROM fr_record
  WHERE ${record.equal({ tenantId: p.tenantId, environment: p.environment })} AND next_deadline_at IS NOT NULL
    ORDER BY next_deadline_at LIMIT ${MAX_DEADLINES}`,
);

type ReadTime = Feed & { ispb: string; at: Date };

/** Batch size of reads and writes. */
const dueBatch = 50;

const selectDue = statement<ReadTime, { id: string }>(
  'record.due',
  (p) => sql`
  SELECT funds_recovery_id AS id FROM fr_record
  WHERE ${record.equal({ tenantId: p.tenantId, environment: p.environment, ispb: p.ispb })}
    AND wake_at <= ${p.at}::timestamptz
  ORDER BY next_deadline_at <= ${p.at}::timestamptz DESC NULLS LAST, wake_at LIMIT ${dueBatch}`,
);

/** If a change has to be read first, `wake_at` lies before the deadline. */
const selectDueDeadlines = statement<ReadTime, { id: string }>(
  'record.dueDeadlines',
  (p) => sql`
  SELECT funds_recovery_id AS id FROM fr_record
  WHERE ${record.equal({ tenantId: p.tenantId, environment: p.environment, ispb: p.ispb })}
    AND wake_at <= ${p.at}::timestamptz AND wake_at = next_deadline_at
    AND last_read_at IS NOT NULL
  ORDER BY wake_at LIMIT ${dueBatch}`,
);

/** Excludes records that wait for a read of the directory, because that read handles their notices. */
const selectDueNotices = statement<ReadTime, { id: string }>(
  'record.dueNotices',
  (p) => sql`
  SELECT funds_recovery_id AS id FROM fr_record
  WHERE ${record.equal({ tenantId: p.tenantId, environment: p.environment, ispb: p.ispb })}
    AND next_notice_at <= ${p.at}::timestamptz AND last_read_at IS NOT NULL
    AND (wake_at <= ${p.at}::timestamptz AND (next_deadline_at IS NULL OR wake_at < next_deadline_at)) IS NOT TRUE
  ORDER BY next_notice_at LIMIT ${dueBatch}`,
);

/**
 * Makes a notice due now for every recovery that has a deadline ahead. The round that processes it applies the hours
 * that are set by then and schedules the next notice.
 */
export const renewNotices = statement<{ tenantId: string }>(
  'record.renewNotices',
  (p) => sql`
  UPDATE fr_record SET next_notice_at = last_modified
    WHERE tenant_id = ${p.tenantId} AND next_deadline_at IS NOT NULL AND last_read_at IS NOT NULL`,
);

const selectStale = statement<ReadTime, { id: string }>(
  'record.stale',
  (p) => sql`
  SELECT funds_recovery_id AS id FROM fr_record
  WHERE ${record.equal({ tenantId: p.tenantId, environment: p.environment, ispb: p.ispb })}
    AND status NOT IN ('COMPLETED', 'CANCELLED') AND last_read_at < ${p.at}::timestamptz
  ORDER BY last_read_at + greatest(interval '1 hour', least(interval '1 day', (next_deadline_at - last_read_at) / 4))
    LIMIT ${dueBatch}`,
);

const updateWakeTime = statement<Feed & RecoveryKey & { at: Date; wakeAt: Date }>(
  'record.postpone',
  (p) => sql`
  UPDATE fr_record
    SET
    ${record.assign({ lastReadAt: p.at, wakeAt: sql`CASE WHEN wake_at IS NOT NULL THEN ${p.wakeAt}::timestamptz END` })}
  WHERE ${record.equal({ tenantId: p.tenantId, environment: p.environment, id: p.id })}`,
);

/** Returns the records that are due: those with a passed deadline first, then in the order of their times. */
export async function findDueRecords(
  tx: Transaction,
  environment: Environment,
  ispb: string,
  at: Date,
): Promise<string[]> {
  return (
    await tx.run(selectDue, {
      tenantId: tx.tenantId!,
      environment,
      ispb,
      at,
    })
  ).map(({ id }) => id);
}

/** Returns the records for which only a deadline is due. */
export async function findDueDeadlines(
  tx: Transaction,
  environment: Environment,
  ispb: string,
  at: Date,
): Promise<string[]> {
  return (
    await tx.run(selectDueDeadlines, {
      tenantId: tx.tenantId!,
      environment,
      ispb,
      at,
    })
  ).map(({ id }) => id);
}

/** Returns the records for which only a notice of a deadline is due. */
export async function findDueNotices(
  tx: Transaction,
  environment: Environment,
  ispb: string,
  at: Date,
): Promise<string[]> {
  return (
    await tx.run(selectDueNotices, {
      tenantId: tx.tenantId!,
      environment,
      ispb,
      at,
    })
  ).map(({ id }) => id);
}

/**
 * Returns the records that have not ended and were not read since `at`. A record is read again after a quarter of the
 * time that was left until its deadline, at least an hour and at most a day. So if time is short the most urgent
 * records come first, and every record is read eventually.
 */
export async function findStaleRecords(
  tx: Transaction,
  environment: Environment,
  ispb: string,
  at: Date,
): Promise<string[]> {
  return (
    await tx.run(selectStale, {
      tenantId: tx.tenantId!,
      environment,
      ispb,
      at,
    })
  ).map(({ id }) => id);
}

/** Postpones the next read of a recovery that the directory does not show. */
export async function postponeRecord(
  tx: Transaction,
  environment: Environment,
  id: string,
  at: Date,
  wakeAt: Date,
): Promise<void> {
  await tx.run(updateWakeTime, {
    tenantId: tx.tenantId!,
    environment,
    id,
    at,
    wakeAt,
  });
}

type SimulatedRow = {
  tenantId: string;
  id: string;
  ispb: string;
  root: string;
  status: string;
  at: Date;
  analysedAt: Date | null;
  key: string;
  snapshot: Snapshot;
};

/**
 * Saves a record that no directory was ever read for (`last_read_at` is null), so that ingestion ignores it. A recovery
 * of the sandbox's directory stays as it was last read, whatever is simulated about it.
 */
export const upsertSimulatedRecord = statement<SimulatedRow>(
  'simulation.saveRecord',
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
    'keys',
    'held',
    'snapshot',
  )})
  VALUES (${p.tenantId}, 'sandbox', ${p.id}, ${p.ispb}, 'SENT', ${p.root}, ${p.status}, 1, ${p.at}, ${p.at},
    ${p.analysedAt}, jsonb_build_array(${p.key}::text), '{}', ${p.snapshot})
  ON CONFLICT (tenant_id, env, funds_recovery_id) DO UPDATE SET
    status = excluded.status, revision = known.revision + 1, last_modified = excluded.last_modified,
    analysed_at = coalesce(known.analysed_at, excluded.analysed_at),
      published_keys = known.published_keys || excluded.published_keys,
    snapshot = jsonb_set(excluded.snapshot, '{FundsRecovery,CreationTime}',
      known.snapshot #> '{FundsRecovery,CreationTime}')
  WHERE known.last_read_at IS NULL`,
);

export const findRecovery = statement<RecoveryKey, { environment: Environment; status: string; erased: boolean }>(
  'feed.findRecovery',
  (p) => sql`
  SELECT ${recovery.select('environment')}, fr_recovery.status, erased_at IS NOT NULL AS erased FROM fr_recovery
    LEFT JOIN fr_record USING (tenant_id, env, funds_recovery_id)
  WHERE tenant_id = ${p.tenantId}::uuid AND funds_recovery_id = ${p.id}::uuid`,
);
