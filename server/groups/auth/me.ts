import type { components } from '../../contract/generated/types.ts';
import type { Context } from '../../contract/handlers.ts';
import { Problem } from '../../http/problem.ts';
import { identityOf } from './identity.ts';
import { permissionsOf } from './permissions.ts';
import { slidingEnd } from './rotation.ts';
import { securityPolicy } from './security-policy.ts';
import { findMember } from './store/accounts.ts';
import { findSession, type Session } from './store/sessions.ts';

export async function currentUser(
  { tx, principal: { tenantId, userId, sessionId }, environment }: Pick<Context<'getCurrentUser'>, 'tx' | 'principal' | 'environment'>,
): Promise<components['schemas']['CurrentUser']> {
  const [member, session, { mfaRequired }] = await Promise.all([
    findMember(tx, tenantId, userId), findSession(tx, tenantId, sessionId), securityPolicy(tx, tenantId),
  ]);
  if (member === null || session === null) throw new Problem('token_revoked').with({ 'WWW-Authenticate': 'Bearer realm="api", error="invalid_token"' });
  return {
    user: identityOf(member),
    tenant: member.tenant,
    session: sessionView(session, sessionId),
    environment,
    permissions: [...permissionsOf(member.role)],
    mfaEnrolmentRequired: mfaRequired && !member.user.mfaEnabled,
  };
}

function sessionView({ id, createdAt, lastSeenAt, idleSeconds, absoluteExpiresAt, mfa, ip, userAgent }: Session, current: string): components['schemas']['Session'] {
  return {
    id,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    expiresAt: slidingEnd(lastSeenAt, idleSeconds, absoluteExpiresAt).toISOString(),
    mfa, ip, userAgent,
    current: id === current,
  };
}
