import { knex, sql, statement, type Transaction } from '../../../database/index.ts';
import type { Position } from '../../../http/cursor.ts';

export interface SessionRow {
  readonly id: string;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly expires_at: string;
  readonly mfa: boolean;
  readonly ip: string | null;
  readonly user_agent: string | null;
}

const EXPIRES = sql`least(absolute_expires_at, last_seen_at + idle_seconds * interval '1 second')`;

const member = statement<{ tenantId: string; userId: string }, { user_id: string }>('user.isMember', (p) =>
  knex('membership').select('user_id').where({ tenant_id: p.tenantId, user_id: p.userId }));

const find = statement<{ tenantId: string; userId: string; id: string }, { id: string }>('user.session', (p) =>
  knex('session').select('id').where({ tenant_id: p.tenantId, user_id: p.userId, id: p.id }));

/** The open sessions, newest first; at most `count` after the position. */
export async function listOpenSessions(
  tx: Transaction, of: { tenantId: string; userId: string }, after: Position | null, count: number, now: Date,
): Promise<SessionRow[]> {
  const query = knex('session')
    .select('id', 'created_at', 'last_seen_at', sql`${EXPIRES} AS expires_at`, 'mfa', 'ip', 'user_agent')
    .where({ tenant_id: of.tenantId, user_id: of.userId, ended_at: null }).where(sql`${EXPIRES} > ${now}`)
    .orderBy([{ column: 'created_at', order: 'desc' }, { column: 'id', order: 'desc' }]).limit(count);
  if (after !== null) query.where(sql`(created_at, id) < (${after[0]!}::timestamptz, ${after[1]!}::uuid)`);
  return tx.query<SessionRow>(query);
}

export async function isMember(tx: Transaction, tenantId: string, userId: string): Promise<boolean> {
  return (await tx.run(member, { tenantId, userId })).length > 0;
}

/** Whether the person ever had this session, open or not. */
export async function hadSession(tx: Transaction, of: { tenantId: string; userId: string; id: string }): Promise<boolean> {
  return (await tx.run(find, of)).length > 0;
}
