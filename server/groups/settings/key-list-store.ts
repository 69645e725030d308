import { knex, sql, type Fragment, type Transaction } from '../../database/index.ts';
import type { ApiKeyRecord } from './api-key.ts';
import { columnsAt, recordOf, type KeyRow } from './key-row.ts';

export interface KeyQuery {
  readonly tenantId: string;
  readonly status: readonly ('active' | 'rotating' | 'expired' | 'revoked')[];
  readonly environment: 'live' | 'test' | undefined;
  readonly unusedSince: Date | undefined;
  readonly createdAfter: Date | undefined;
  readonly createdBefore: Date | undefined;
  /** `created_at` and `id` of the last key of the page before. */
  readonly after: readonly [createdAt: string, id: string] | null;
  readonly limit: number;
  readonly now: Date;
}

/** Newest first, one row more than the page so that the caller sees whether there is another. */
export async function listKeys(tx: Transaction, query: KeyQuery): Promise<ApiKeyRecord[]> {
  const keys = knex('api_key').select(columnsAt(query.now)).where({ tenant_id: query.tenantId });
  if (query.status.length > 0) keys.where(sql`${statusAt(query.now)} = ANY(${query.status})`);
  if (query.environment !== undefined) keys.where('environment', query.environment);
  if (query.unusedSince !== undefined) keys.where(sql`(last_used_at IS NULL OR last_used_at < ${query.unusedSince})`);
  if (query.createdAfter !== undefined) keys.where('created_at', '>=', query.createdAfter);
  if (query.createdBefore !== undefined) keys.where('created_at', '<', query.createdBefore);
  if (query.after !== null) keys.where(sql`(created_at, id) < (${query.after[0]}, ${query.after[1]})`);
  keys.orderBy([{ column: 'created_at', order: 'desc' }, { column: 'id', order: 'desc' }]).limit(query.limit + 1);
  return (await tx.query<KeyRow>(keys)).map(recordOf);
}

/** `statusAt` in SQL. */
const statusAt = (now: Date): Fragment => sql`CASE WHEN status <> 'revoked' AND ends_at <= ${now} THEN 'expired' ELSE status END`;
