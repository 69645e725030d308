import type { Knex } from 'knex';
import { sql, type Transaction } from '../../../database/index.ts';
import type { Position } from '../../../http/cursor.ts';
import type { UserRecord } from '../user.ts';
import { HAS_FACTOR, members, NAME, statusAt, toRecord, type UserRow } from './user-row.ts';

export interface UserFilter {
  readonly roles: readonly string[];
  readonly statuses: readonly string[];
  readonly q?: string | undefined;
  readonly mfaEnabled?: boolean | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
  readonly updatedAfter?: Date | undefined;
}

export type UserOrder = { readonly by: 'name' | 'lastLoginAt' | 'createdAt'; readonly direction: 'asc' | 'desc' };

/** What a page is ordered by. As many letters of a name as fit into a cursor; who never came has been away longest. */
const KEYS = {
  name: { key: sql`left(lower(${NAME}), 60)`, type: sql`text` },
  lastLoginAt: { key: sql`coalesce(m.last_login_at, 'epoch')`, type: sql`timestamptz` },
  createdAt: { key: sql`m.created_at`, type: sql`timestamptz` },
};

export interface ListedUser {
  readonly user: UserRecord;
  readonly position: Position;
}

/** At most `count` members after the position. */
export async function listUsers(
  tx: Transaction, tenantId: string, filter: UserFilter, order: UserOrder, after: Position | null, count: number, now: Date,
): Promise<ListedUser[]> {
  const rows = await tx.query<UserRow & { readonly sort_key: string }>(listQuery(tenantId, filter, order, after, count, now));
  return rows.map((row) => ({ user: toRecord(row), position: [row.sort_key, row.id] }));
}

export function listQuery(
  tenantId: string, filter: UserFilter, { by, direction }: UserOrder, after: Position | null, count: number, now: Date,
): Knex.QueryBuilder {
  const { key, type } = KEYS[by];
  const sorted = direction === 'asc' ? sql`ASC` : sql`DESC`;
  const query = members(tenantId, now).select(sql`${key} AS sort_key`)
    .orderByRaw(sql`${key} ${sorted}, m.user_id ${sorted}`).limit(count);
  if (filter.roles.length > 0) query.whereIn('m.role', filter.roles);
  if (filter.statuses.length > 0) query.where(sql`${statusAt(now)} = ANY(${[...filter.statuses]})`);
  if (filter.q !== undefined) query.where(sql`(${NAME} ILIKE ${containing(filter.q)} OR u.email ILIKE ${containing(filter.q)})`);
  if (filter.mfaEnabled !== undefined) query.where(sql`${HAS_FACTOR} = ${filter.mfaEnabled}`);
  if (filter.createdAfter !== undefined) query.where('m.created_at', '>=', filter.createdAfter);
  if (filter.createdBefore !== undefined) query.where('m.created_at', '<', filter.createdBefore);
  if (filter.updatedAfter !== undefined) query.where('m.updated_at', '>=', filter.updatedAfter);
  if (after !== null) {
    query.where(sql`(${key}, m.user_id) ${direction === 'asc' ? sql`>` : sql`<`} (${after[0]!}::${type}, ${after[1]!}::uuid)`);
  }
  return query;
}

/** A pattern for what contains these characters as they are. */
const containing = (characters: string): string => `%${characters.replace(/[\\%_]/g, '\\$&')}%`;
