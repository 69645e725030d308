import type { Knex } from 'knex';
import { knex, type Transaction } from '../../../database/index.ts';
import type { Position } from '../../../http/cursor.ts';
import type { UserRecord } from '../user.ts';
import { HAS_FACTOR, members, NAME, STATUS, toRecord, type UserRow } from './user-row.ts';

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
  name: { sql: `left(lower(${NAME}), 60)`, type: 'text' },
  lastLoginAt: { sql: `coalesce(m.last_login_at, 'epoch')`, type: 'timestamptz' },
  createdAt: { sql: 'm.created_at', type: 'timestamptz' },
} as const;

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
  const { sql, type } = KEYS[by];
  const query = members(knex, tenantId, now).select(knex.raw(`${sql} AS sort_key`))
    .orderByRaw(`${sql} ${direction}, m.user_id ${direction}`).limit(count);
  if (filter.roles.length > 0) query.whereIn('m.role', filter.roles);
  if (filter.statuses.length > 0) query.whereRaw(`${STATUS} = ANY(?)`, [now, [...filter.statuses]]);
  if (filter.q !== undefined) query.whereRaw(`(${NAME} ILIKE ? OR u.email ILIKE ?)`, Array<string>(2).fill(`%${filter.q.replace(/[\\%_]/g, '\\$&')}%`));
  if (filter.mfaEnabled !== undefined) query.whereRaw(`${HAS_FACTOR} = ?`, [filter.mfaEnabled]);
  if (filter.createdAfter !== undefined) query.where('m.created_at', '>=', filter.createdAfter);
  if (filter.createdBefore !== undefined) query.where('m.created_at', '<', filter.createdBefore);
  if (filter.updatedAfter !== undefined) query.where('m.updated_at', '>=', filter.updatedAfter);
  if (after !== null) {
    query.whereRaw(`(${sql}, m.user_id) ${direction === 'asc' ? '>' : '<'} (?::${type}, ?::uuid)`, [after[0] as string, after[1] as string]);
  }
  return query;
}
