import type { components } from '../../contract/generated/types.ts';
import type { Context } from '../../contract/handlers.ts';
import { Problem } from '../../http/problem.ts';
import { identityOf } from './identity.ts';
import { permissionsOf } from './permissions.ts';
import { slidingEnd } from './rotation.ts';
import { findMember } from './store/accounts.ts';
import { findSession, type Session } from './store/sessions.ts';

export async function currentUser(
  { tx, principal: { tenantId, userId, sessionId, mfa }, environment }: Pick<Context<'getCurrentUser'>, 'tx' | 'principal' | 'environment'>,
): Promise<components['schemas']['CurrentUser']> {
  const [member, session] = await Promise.all([findMember(tx, tenantId, userId), findSession(tx, tenantId, sessionId)]);
  if (member === null || session === null) throw new Problem('token_revoked').with({ 'WWW-Authenticate': 'Bearer realm="api", error="invalid_token"' });
  return {
    user: identityOf(member),
    tenant: member.tenant,
    session: sessionView(session, mfa),
    environment,
    permissions: [...permissionsOf(member.role)],
  };
}

function sessionView({ id, createdAt, lastSeenAt, absoluteExpiresAt }: Session, mfa: boolean): components['schemas']['Session'] {
  return {
    id,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    expiresAt: slidingEnd(lastSeenAt, absoluteExpiresAt).toISOString(),
    mfa,
  };
}
