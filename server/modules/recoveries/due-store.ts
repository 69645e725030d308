/**
 * Statements that find the recoveries that must be processed now although the directory announced nothing. Used by
 * renew-notices.ts and, through the index, by recovery-ingestion. Each uses an index on the time, so that a round stays
 * cheap with many recoveries.
 */
import type { Environment } from '../../contract/operation.ts';
import { sql, statement, type Transaction } from '../../database/index.ts';
import { type Feed, record, type RecoveryKey } from './store.ts';

type ReadTime = Feed & { ispb: string; at: Date };

function readTime(tx: Transaction, environment: Environment, ispb: string, at: Date): ReadTime {
  return {
    tenantId: tx.tenantId!,
    environment,
    ispb,
    at,
  };
}

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
  SET ${record.assign({
    lastReadAt: p.at,
    wakeAt: sql`CASE WHEN wake_at IS NOT NULL THEN ${p.wakeAt}::timestamptz END`,
  })}
  WHERE ${record.equal({ tenantId: p.tenantId, environment: p.environment, id: p.id })}`,
);

/** Returns the records that are due: those with a passed deadline first, then in the order of their times. */
export async function findDueRecords(
  tx: Transaction,
  environment: Environment,
  ispb: string,
  at: Date,
): Promise<string[]> {
  const rows = await tx.run(selectDue, readTime(tx, environment, ispb, at));
  return rows.map(({ id }) => id);
}

/** Returns the records for which only a deadline is due. */
export async function findDueDeadlines(
  tx: Transaction,
  environment: Environment,
  ispb: string,
  at: Date,
): Promise<string[]> {
  const rows = await tx.run(selectDueDeadlines, readTime(tx, environment, ispb, at));
  return rows.map(({ id }) => id);
}

/** Returns the records for which only a notice of a deadline is due. */
export async function findDueNotices(
  tx: Transaction,
  environment: Environment,
  ispb: string,
  at: Date,
): Promise<string[]> {
  const rows = await tx.run(selectDueNotices, readTime(tx, environment, ispb, at));
  return rows.map(({ id }) => id);
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
  const rows = await tx.run(selectStale, readTime(tx, environment, ispb, at));
  return rows.map(({ id }) => id);
}

/** Postpones the next read of a recovery that the directory does not show. */
export async function postponeRecord(
  tx: Transaction,
  environment: Environment,
  id: string,
  times: { readonly at: Date; readonly wakeAt: Date },
): Promise<void> {
  await tx.run(updateWakeTime, {
    tenantId: tx.tenantId!,
    environment,
    id,
    ...times,
  });
}
