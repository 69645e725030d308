import type { components } from '../../contract/generated/types.ts';
import type { Context } from '../../contract/handlers.ts';
import type { Cursors } from '../../http/cursor.ts';
import { DEFAULT_LIMIT, pageOf, type Page } from '../../http/page.ts';
import { Problem } from '../../http/problem.ts';
import { endSessions } from '../auth/index.ts';
import { assertUnbound } from '../settings/index.ts';
import { hadSession, isMember, listOpenSessions } from './store/sessions.ts';

type WireSession = components['schemas']['Session'];
type List = Pick<Context<'listUserSessions'>, 'tx' | 'principal' | 'params' | 'query' | 'operationId' | 'now'>;
type End = Pick<Context<'endUserSessions'>, 'tx' | 'principal' | 'params' | 'query' | 'now'>;

export async function listSessions(cursors: Cursors, { tx, principal, params: { userId }, query, operationId, now }: List): Promise<Page<WireSession>> {
  const { tenantId } = principal;
  const { limit = DEFAULT_LIMIT } = query;
  const binding = { tenantId, operationId, filters: { userId } };
  const after = query.cursor === undefined ? null : cursors.decode(binding, query.cursor);
  const [known, rows] = await Promise.all([isMember(tx, tenantId, userId), listOpenSessions(tx, { tenantId, userId }, after, limit + 1, now)]);
  if (!known) throw new Problem('not_found');
  const current = principal.kind === 'user' ? principal.sessionId : null;
  return pageOf(rows, limit, (row) => ({
    id: row.id, createdAt: row.created_at, lastSeenAt: row.last_seen_at, expiresAt: row.expires_at, mfa: row.mfa, ip: row.ip,
    userAgent: row.user_agent, current: row.id === current,
  }), { cursors, binding, positionOf: (row) => [row.created_at, row.id] });
}

/** The sessions that this ended; none when they had ended before. */
export async function endSessionsOf({ tx, principal, params: { userId }, query: { sessionId }, now }: End): Promise<string[]> {
  await assertUnbound(tx, principal);
  const { tenantId } = principal;
  const known = sessionId === undefined ? await isMember(tx, tenantId, userId) : await hadSession(tx, { tenantId, userId, id: sessionId });
  if (!known) throw new Problem('not_found');
  return endSessions(tx, { tenantId, userId, ...(sessionId !== undefined && { sessionId }), reason: 'administrator', now });
}
