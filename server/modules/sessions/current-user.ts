/**
 * The signed-in user with tenant, session and permitted operations. Called by the handler. The permissions follow from
 * the contract and are for display; each operation authorizes its caller itself. A session that has ended gives
 * `token_revoked`.
 */
import { operations } from '../../contract/generated/operations.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Operation, Role } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Context } from '../../request/handler.ts';
import { findMember, identityOf, securityPolicy } from '../accounts/index.ts';
import { slidingEnd } from './refresh-token.ts';
import { findSession, type Session } from './store.ts';

const known = new Map<Role, readonly string[]>();

/**
 * Returns the operations that a role may call according to the contract, including former operation ids, which clients
 * may still look for.
 */
export function permissionsOf(role: Role): readonly string[] {
  const cached = known.get(role);
  if (cached !== undefined) return cached;
  const all: readonly Operation[] = Object.values(operations);
  const permitted = all
    .filter(({ roles }) => roles.includes(role))
    .flatMap(({ operationId, formerIds }) => [operationId, ...formerIds])
    .sort();
  known.set(role, permitted);
  return permitted;
}

export async function readCurrentUser({
  tx,
  principal: { tenantId, userId, sessionId },
  environment,
}: Pick<Context<'getCurrentUser'>, 'tx' | 'principal' | 'environment'>): Promise<components['schemas']['CurrentUser']> {
  const [member, session, { mfaRequired }] = await Promise.all([
    findMember(tx, tenantId, userId),
    findSession(tx, tenantId, sessionId),
    securityPolicy(tx, tenantId),
  ]);
  if (member === null || session === null) throw new Problem('token_revoked');
  return {
    user: identityOf(member),
    tenant: member.tenant,
    session: sessionView(session, sessionId),
    environment,
    permissions: [...permissionsOf(member.role)],
    mfaEnrolmentRequired: mfaRequired && !member.user.mfaEnabled,
  };
}

function sessionView(
  { id, createdAt, lastSeenAt, idleSeconds, absoluteExpiresAt, mfa, ip, userAgent }: Session,
  current: string,
): components['schemas']['Session'] {
  return {
    id,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    expiresAt: slidingEnd(lastSeenAt, idleSeconds, absoluteExpiresAt).toISOString(),
    mfa,
    ip,
    userAgent,
    current: id === current,
  };
}
