/**
 * Sessions of a member as administrators see and end them, and locking of inactive members. Called by the handlers and
 * lock-inactive.ts. Answers 404 for a person who is not a member.
 */
import { DAY_MILLISECONDS, type RealTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import type { Context } from '../../request/handler.ts';
import { type Cursors, DEFAULT_LIMIT, type Page, pageOf } from '../../request/pagination.ts';
import { lockIdleMembers } from '../accounts/index.ts';
import { assertUnrestrictedCaller } from '../api-keys/index.ts';
import { hadSession, isMember, listOpenSessions } from './member-session-store.ts';
import { endSessions } from './store.ts';

type WireSession = components['schemas']['Session'];
type ListRequest = Pick<Context<'listUserSessions'>, 'tx' | 'principal' | 'params' | 'query' | 'operationId' | 'now'>;
type EndRequest = Pick<Context<'revokeUserSessions'>, 'tx' | 'principal' | 'params' | 'query' | 'now'>;

export async function listSessions(
  cursors: Cursors,
  { tx, principal, params: { userId }, query, operationId, now }: ListRequest,
): Promise<Page<WireSession>> {
  const { tenantId } = principal;
  const { limit = DEFAULT_LIMIT } = query;
  const binding = { tenantId, operationId, filters: { userId } };
  const after = query.cursor === undefined ? null : cursors.decode(binding, query.cursor);
  const [known, rows] = await Promise.all([
    isMember(tx, tenantId, userId),
    listOpenSessions(tx, { tenantId, userId }, { after, count: limit + 1 }, now),
  ]);
  if (!known) throw new Problem('not_found');
  const current = principal.kind === 'user' ? principal.sessionId : null;
  return pageOf(
    rows,
    limit,
    (row) => ({
      id: row.id,
      createdAt: row.createdAt,
      lastSeenAt: row.lastSeenAt,
      expiresAt: row.expiresAt,
      mfa: row.mfa,
      ip: row.ip,
      userAgent: row.userAgent,
      current: row.id === current,
    }),
    { cursors, binding, positionOf: (row) => [row.createdAt, row.id] },
  );
}

/** Ends sessions of a member. Returns the ids of those that were still open. */
export async function endSessionsOf({
  tx,
  principal,
  params: { userId },
  query: { sessionId },
  now,
}: EndRequest): Promise<string[]> {
  await assertUnrestrictedCaller(tx, principal);
  const { tenantId } = principal;
  const known =
    sessionId === undefined
      ? await isMember(tx, tenantId, userId)
      : await hadSession(tx, { tenantId, userId, id: sessionId });
  if (!known) throw new Problem('not_found');
  return endSessions(tx, {
    tenantId,
    userId,
    ...(sessionId !== undefined && { sessionId }),
    reason: 'administrator',
    now,
  });
}

/**
 * Locks members who have not signed in for this number of days, and returns their ids. Must run as the platform in the
 * tenant.
 */
export async function lockInactive(tx: Transaction, tenantId: string, days: number, now: RealTime): Promise<string[]> {
  const locked = await lockIdleMembers(tx, tenantId, new Date(now.getTime() - days * DAY_MILLISECONDS), now);
  await Promise.all(
    locked.map((userId) =>
      endSessions(tx, {
        tenantId,
        userId,
        reason: 'deactivated',
        now,
      }),
    ),
  );
  return locked;
}
