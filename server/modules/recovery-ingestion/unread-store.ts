/**
 * Table `dict_unread`: recoveries that a list contains and nobody has read yet. Used by documents.ts and reconcile.ts.
 * A recovery leaves the table only with its observation, so none is forgotten.
 */
import type { Environment } from '../../contract/operation.ts';
import {
  code,
  json,
  type ParametersOf,
  sql,
  statement,
  table,
  text,
  timestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import type { InfractionReportDocument, RefundDocument } from '../../providers/directory/index.ts';

export const unread = table(
  'dict_unread',
  {
    id: uuid().named('funds_recovery_id'),
    listedAt: timestamp(),
    reports: json<readonly InfractionReportDocument[]>().changes(
      'the lists of the directory show more of the recovery before the service reads it',
    ),
    refunds: json<readonly RefundDocument[]>().changes(
      'the lists of the directory show more of the recovery before the service reads it',
    ),
    tenantId: uuid(),
    environment: code<Environment>().named('env'),
    ispb: text(),
  },
  {
    owner: 'recovery',
    sandboxReset: 'emptied',
    insertedBy: 'app',
    example: { ispb: '1', reports: [], refunds: [] },
  },
);

type Member = { tenantId: string; environment: Environment; ispb: string };

const ofMember = (p: ParametersOf<Member>) => ({ tenantId: p.tenantId, environment: p.environment, ispb: p.ispb });

const insertUnread = statement<
  Member & {
    id: string;
    at: Date;
    reports: string;
    refunds: string;
  }
>(
  'unread.add',
  (p) => sql`
  INSERT INTO dict_unread AS known (
    ${unread.list('tenantId', 'environment', 'ispb', 'id', 'listedAt', 'reports', 'refunds')})
  VALUES (${p.tenantId}, ${p.environment}, ${p.ispb}, ${p.id}, ${p.at}, ${p.reports}::jsonb, ${p.refunds}::jsonb)
  ON CONFLICT (tenant_id, env, ispb, funds_recovery_id) DO UPDATE
    SET reports = known.reports || excluded.reports, refunds = known.refunds || excluded.refunds
  WHERE NOT (known.reports @> excluded.reports AND known.refunds @> excluded.refunds)`,
);

const waiting = unread.select('id', 'reports', 'refunds');

/** Recovery that a list contains, with what the lists show about it. */
export interface UnreadRecovery {
  readonly id: string;
  readonly reports: readonly InfractionReportDocument[];
  readonly refunds: readonly RefundDocument[];
}

const selectUnread = statement<Member & { count: number }, UnreadRecovery>(
  'unread.list',
  (p) => sql`
  SELECT ${waiting} FROM dict_unread WHERE ${unread.equal(ofMember(p))} ORDER BY listed_at, funds_recovery_id
    LIMIT ${p.count}::integer`,
);

const deleteUnread = statement<Member & { ids: readonly string[] }>(
  'unread.delete',
  (p) => sql`
  DELETE FROM dict_unread WHERE ${unread.equal(ofMember(p))} AND funds_recovery_id = ANY (${p.ids}::uuid[])`,
);

/** Adds the recovery to those that wait to be read, or adds documents to one that waits already. */
export async function keepUnread(
  tx: Transaction,
  { tenantId, environment, ispb }: Member,
  { id, reports, refunds }: UnreadRecovery,
  at: Date,
): Promise<void> {
  await tx.run(insertUnread, {
    tenantId,
    environment,
    ispb,
    id,
    at,
    reports: JSON.stringify(reports),
    refunds: JSON.stringify(refunds),
  });
}

/** Returns at most `count` recoveries, the one that has waited longest first. */
export function findUnread(
  tx: Transaction,
  { tenantId, environment, ispb }: Member,
  count: number,
): Promise<UnreadRecovery[]> {
  return tx.run(selectUnread, {
    tenantId,
    environment,
    ispb,
    count,
  });
}

export async function forgetUnread(
  tx: Transaction,
  { tenantId, environment, ispb }: Member,
  ids: readonly string[],
): Promise<void> {
  await tx.run(deleteUnread, {
    tenantId,
    environment,
    ispb,
    ids,
  });
}
