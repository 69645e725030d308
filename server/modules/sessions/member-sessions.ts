/**
 * Sessions of a member as administrators see and end them, and locking of inactive members. Called by the handlers and
 * lock-inactive.ts. Answers 404 for a person who is not a member.
 */
import { DAY_MILLISECONDS, type RealTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import type { Context } from '../../request/handler.ts';
import { listPage, type Page } from '../../request/pagination.ts';
import { lockIdleMembers } from '../accounts/index.ts';
import { assertUnrestrictedCaller } from '../api-keys/index.ts';
import { hadSession, isMember, listOpenSessions } from './member-session-store.ts';
import { endSessions } from './store.ts';

type WireSession = components['schemas']['Session'];
type EndRequest = Pick<Context<'revokeUserSessions'>, 'tx' | 'principal' | 'params' | 'query' | 'now'>;

export async function listSessions(ctx: Context<'listUserSessions'>): Promise<Page<WireSession>> {
  const { tx, principal, now } = ctx;
  const tenantId = principal.tenantId;
  const { userId } = ctx.params;
  const current = principal.kind === 'user' ? principal.sessionId : null;
  return listPage(ctx, {
    rows: async (wanted) => {
      const [known, rows] = await Promise.all([
        isMember(tx, tenantId, userId),
        listOpenSessions(tx, { tenantId, userId }, wanted, now),
      ]);
      if (!known) throw new Problem('not_found');
      return rows;
    },
    position: (row) => [row.createdAt, row.id],
    item: (row) => ({
      id: row.id,
      createdAt: row.createdAt,
      lastSeenAt: row.lastSeenAt,
      expiresAt: row.expiresAt,
      mfa: row.mfa,
      ip: row.ip,
      userAgent: row.userAgent,
      current: row.id === current,
    }),
  });
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
