import { sql, statement, type Transaction } from '../../../../database/index.ts';
import type { Participant } from '../participant.ts';

type Member = { tenantId: string; env: string; ispb: string; at: Date };

/** As many as are read and written at once. */
const batch = 50;

const findDue = statement<Member, { id: string }>('record.due', (p) => sql`
  SELECT funds_recovery_id AS id FROM fr_record WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND ispb = ${p.ispb} AND wake_at <= ${p.at}::timestamptz
  ORDER BY wake_at LIMIT ${batch}`);

const findStale = statement<Member, { id: string }>('record.stale', (p) => sql`
  SELECT funds_recovery_id AS id FROM fr_record
  WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND ispb = ${p.ispb} AND status NOT IN ('COMPLETED', 'CANCELLED') AND last_read_at < ${p.at}::timestamptz
  ORDER BY last_read_at LIMIT ${batch}`);

const postpone = statement<{ tenantId: string; env: string; id: string; at: Date; wakeAt: Date }>('record.postpone', (p) => sql`
  UPDATE fr_record SET last_read_at = ${p.at}::timestamptz, wake_at = CASE WHEN wake_at IS NOT NULL THEN ${p.wakeAt}::timestamptz END
  WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND funds_recovery_id = ${p.id}::uuid`);

/** Records that must be looked at by now; of those whose time has come the most urgent. */
export async function dueRecords(tx: Transaction, { env }: Participant, ispb: string, at: Date): Promise<string[]> {
  return (await tx.run(findDue, { tenantId: tx.tenantId!, env, ispb, at })).map(({ id }) => id);
}

/** Records that have not ended and were not read since. */
export async function staleRecords(tx: Transaction, { env }: Participant, ispb: string, at: Date): Promise<string[]> {
  return (await tx.run(findStale, { tenantId: tx.tenantId!, env, ispb, at })).map(({ id }) => id);
}

/** The directory shows nothing of it: it is asked again later. */
export async function postponeRecord(tx: Transaction, { env }: Participant, id: string, at: Date, wakeAt: Date): Promise<void> {
  await tx.run(postpone, { tenantId: tx.tenantId!, env, id, at, wakeAt });
}
