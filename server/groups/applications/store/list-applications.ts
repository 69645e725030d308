import { knex, sql, type Transaction } from '../../../database/index.ts';
import type { Environment } from '../../../contract/principal.ts';
import type { Position } from '../../../http/cursor.ts';
import type { ApplicationRecord, Evidence } from '../application.ts';
import { applicationColumns, toRecord, type ApplicationRow } from './application-row.ts';

export interface Filter {
  readonly environment: Environment;
  readonly statuses: readonly string[];
  readonly level?: string | undefined;
  readonly externalId?: string | undefined;
  readonly taxIdMac?: Buffer | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
  readonly updatedAfter?: Date | undefined;
  readonly updatedBefore?: Date | undefined;
}

export interface Order {
  readonly column: 'created_at' | 'updated_at';
  readonly direction: 'asc' | 'desc';
}

export interface Listed {
  readonly record: ApplicationRecord;
  readonly evidence: readonly Evidence[];
}

type Row = ApplicationRow & { readonly evidence: readonly Evidence[] };

/** What the requirements of each row are computed from, read along with it. */
const EVIDENCE = sql`(
  SELECT coalesce(jsonb_agg(jsonb_build_object('type', d.type, 'status', d.status, 'expiresOn', d.expires_on)), '[]')
  FROM document d WHERE d.tenant_id = application.tenant_id AND d.application_id = application.id
) AS evidence`;

/** At most `count` rows after the position, in the order of an index that begins with tenant and environment. */
export async function listApplications(
  tx: Transaction, tenantId: string, filter: Filter, { column, direction }: Order, after: Position | null, count: number,
): Promise<Listed[]> {
  const rows = await tx.query<Row>(listQuery(tenantId, filter, { column, direction }, after, count));
  return rows.map((row) => ({ record: toRecord(row), evidence: row.evidence }));
}

export function listQuery(tenantId: string, filter: Filter, { column, direction }: Order, after: Position | null, count: number) {
  const query = knex('application').select(...applicationColumns, EVIDENCE)
    .where({ tenant_id: tenantId, environment: filter.environment })
    .orderBy([{ column, order: direction }, { column: 'id', order: direction }]).limit(count);
  if (filter.statuses.length > 0) query.whereIn('status', filter.statuses);
  if (filter.level !== undefined) query.where('level', filter.level);
  if (filter.externalId !== undefined) query.where('external_id', filter.externalId);
  if (filter.taxIdMac !== undefined) query.where('tax_id_mac', filter.taxIdMac);
  if (filter.createdAfter !== undefined) query.where('created_at', '>=', filter.createdAfter);
  if (filter.createdBefore !== undefined) query.where('created_at', '<', filter.createdBefore);
  if (filter.updatedAfter !== undefined) query.where('updated_at', '>=', filter.updatedAfter);
  if (filter.updatedBefore !== undefined) query.where('updated_at', '<', filter.updatedBefore);
  if (after !== null) query.where(sql`(${knex.raw(column)}, id) ${direction === 'asc' ? sql`>` : sql`<`} (${after[0]!}::timestamptz, ${after[1]!}::uuid)`);
  return query;
}
