import type { Knex } from 'knex';
import { sql, type Transaction } from '../../../database/index.ts';
import type { Position } from '../../../http/cursor.ts';
import type { TenantRecord } from '../tenant.ts';
import { tenants, toRecord, type TenantRow } from './tenant-row.ts';

export interface TenantFilter {
  readonly statuses: readonly string[];
  readonly q?: string | undefined;
  readonly plan?: string | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
  readonly updatedAfter?: Date | undefined;
}

export type TenantOrder = { readonly by: 'name' | 'createdAt'; readonly direction: 'asc' | 'desc' };

/** As many letters of a name as fit into a cursor. */
const KEYS = { name: { key: sql`left(lower(t.name), 60)`, type: sql`text` }, createdAt: { key: sql`t.created_at`, type: sql`timestamptz` } };

export interface ListedTenant {
  readonly tenant: TenantRecord;
  readonly position: Position;
}

/** At most `count` tenants after the position. */
export async function listTenants(tx: Transaction, filter: TenantFilter, order: TenantOrder, after: Position | null, count: number): Promise<ListedTenant[]> {
  const rows = await tx.query<TenantRow & { readonly sort_key: string }>(listQuery(filter, order, after, count));
  return rows.map((row) => ({ tenant: toRecord(row), position: [row.sort_key, row.id] }));
}

function listQuery(filter: TenantFilter, { by, direction }: TenantOrder, after: Position | null, count: number): Knex.QueryBuilder {
  const { key, type } = KEYS[by];
  const sorted = direction === 'asc' ? sql`ASC` : sql`DESC`;
  const query = tenants().select(sql`${key} AS sort_key`).orderByRaw(sql`${key} ${sorted}, t.id ${sorted}`).limit(count);
  if (filter.statuses.length > 0) query.whereIn('t.status', filter.statuses);
  if (filter.q !== undefined) query.where(sql`(t.name ILIKE ${containing(filter.q)} OR t.slug ILIKE ${containing(filter.q)})`);
  if (filter.plan !== undefined) query.where('t.plan', filter.plan);
  if (filter.createdAfter !== undefined) query.where('t.created_at', '>=', filter.createdAfter);
  if (filter.createdBefore !== undefined) query.where('t.created_at', '<', filter.createdBefore);
  if (filter.updatedAfter !== undefined) query.where('t.updated_at', '>=', filter.updatedAfter);
  if (after !== null) query.where(sql`(${key}, t.id) ${direction === 'asc' ? sql`>` : sql`<`} (${after[0]!}::${type}, ${after[1]!}::uuid)`);
  return query;
}

/** A pattern for what contains these characters as they are. */
const containing = (characters: string): string => `%${characters.replace(/[\\%_]/g, '\\$&')}%`;
