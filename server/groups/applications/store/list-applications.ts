import { every, sql, type Fragment, type RowOf, type Transaction } from '../../../database/index.ts';
import type { Environment } from '../../../contract/principal.ts';
import type { Position } from '../../../http/cursor.ts';
import type { ApplicationRecord, Evidence } from '../application.ts';
import { application, applicationRecord } from './application-row.ts';

export interface Filter {
  readonly environment: Environment;
  readonly statuses: readonly ApplicationRecord['status'][];
  readonly level?: ApplicationRecord['level'] | undefined;
  readonly externalId?: string | undefined;
  readonly taxIdMac?: Buffer | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
  readonly updatedAfter?: Date | undefined;
  readonly updatedBefore?: Date | undefined;
}

export interface Order {
  readonly by: 'createdAt' | 'updatedAt';
  readonly direction: 'asc' | 'desc';
}

export interface Listed {
  readonly record: ApplicationRecord;
  readonly evidence: readonly Evidence[];
}

type Row = RowOf<typeof applicationRecord> & { readonly evidence: readonly Evidence[] };

/** What the requirements of each row are computed from, read along with it. */
const EVIDENCE = sql`(
  SELECT coalesce(jsonb_agg(jsonb_build_object('type', d.type, 'status', d.status, 'expiresOn', d.expires_on)), '[]')
  FROM document d WHERE d.tenant_id = application.tenant_id AND d.application_id = application.id
)`;

/** At most `count` rows after the position, in the order of an index that begins with tenant and environment. */
export async function listApplications(
  tx: Transaction, tenantId: string, filter: Filter, order: Order, after: Position | null, count: number,
): Promise<Listed[]> {
  const rows = await tx.query<Row>(listQuery(tenantId, filter, order, after, count));
  return rows.map(({ evidence, ...record }) => ({ record, evidence }));
}

export function listQuery(tenantId: string, filter: Filter, { by, direction }: Order, after: Position | null, count: number): Fragment {
  const { environment, statuses, level, externalId, taxIdMac, createdAfter, createdBefore, updatedAfter, updatedBefore } = filter;
  const [beyond, sorted] = direction === 'asc' ? [sql`>`, sql`ASC`] : [sql`<`, sql`DESC`];
  const [createdAt, updatedAt, key] = [application.column('createdAt'), application.column('updatedAt'), application.column(by)];
  return sql`
    SELECT ${applicationRecord}, ${EVIDENCE} AS evidence FROM application
    WHERE ${every([
      application.equal({ tenantId, environment }),
      statuses.length > 0 && sql`status = ANY (${statuses})`,
      level !== undefined && application.equal({ level }),
      externalId !== undefined && application.equal({ externalId }),
      taxIdMac !== undefined && application.equal({ taxIdMac }),
      createdAfter !== undefined && sql`${createdAt} >= ${createdAfter}`,
      createdBefore !== undefined && sql`${createdAt} < ${createdBefore}`,
      updatedAfter !== undefined && sql`${updatedAt} >= ${updatedAfter}`,
      updatedBefore !== undefined && sql`${updatedAt} < ${updatedBefore}`,
      after !== null && sql`(${key}, id) ${beyond} (${after[0]!}::timestamptz, ${after[1]!}::uuid)`,
    ])}
    ORDER BY ${key} ${sorted}, id ${sorted} LIMIT ${count}`;
}
