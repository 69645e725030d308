/**
 * Statements that list the open sessions of a member. Used by member-sessions.ts. A session is open until the earlier
 * of its absolute end and its idle end.
 */
import type { RealTime } from '../../base/time.ts';
import { every, keyset, type RowOf, sql, statement, type Transaction } from '../../database/index.ts';
import { membership, session } from '../../identity/tables.ts';
import type { Position } from '../../request/pagination.ts';

const open = session.select('id', 'createdAt', 'lastSeenAt', 'mfa', 'ip', 'userAgent');

interface OpenSessionRow extends RowOf<typeof open> {
  readonly expiresAt: string;
}

const EXPIRES = sql`least(absolute_expires_at, last_seen_at + idle_seconds * interval '1 second')`;

const findMembership = statement<{ tenantId: string; userId: string }, { userId: string }>(
  'user.isMember',
  (p) => sql`
  SELECT ${membership.select('userId')} FROM membership
    WHERE ${membership.equal({ tenantId: p.tenantId, userId: p.userId })}`,
);

const findSessionOfUser = statement<{ tenantId: string; userId: string; id: string }, { id: string }>(
  'user.session',
  (p) => sql`
  SELECT id FROM session WHERE ${session.equal({ tenantId: p.tenantId, userId: p.userId, id: p.id })}`,
);

const NEWEST_FIRST = {
  key: sql`created_at`,
  type: sql`timestamptz`,
  id: sql`id`,
  direction: 'desc',
} as const;

/** Returns the open sessions, newest first, at most `count` after the position. */
export async function listOpenSessions(
  tx: Transaction,
  of: { readonly tenantId: string; readonly userId: string },
  { after, count }: { readonly after: Position | null; readonly count: number },
  now: RealTime,
): Promise<OpenSessionRow[]> {
  const page = keyset(NEWEST_FIRST, after);
  return tx.query<OpenSessionRow>(sql`
    SELECT ${open}, ${EXPIRES} AS "expiresAt" FROM session
    WHERE ${every([session.equal({ ...of, endedAt: null }), sql`${EXPIRES} > ${now}`, page.after])}
    ORDER BY ${page.order} LIMIT ${count}`);
}

export async function isMember(tx: Transaction, tenantId: string, userId: string): Promise<boolean> {
  return (await tx.run(findMembership, { tenantId, userId })).length > 0;
}

/** Returns whether the person ever had this session, open or not. */
export async function hadSession(
  tx: Transaction,
  of: { tenantId: string; userId: string; id: string },
): Promise<boolean> {
  return (await tx.run(findSessionOfUser, of)).length > 0;
}
