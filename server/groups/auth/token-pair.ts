import type { components } from '../../contract/generated/types.ts';
import type { AccessTokens } from '../../http/access-token.ts';
import { identityOf, type Member } from './identity.ts';
import type { Session } from './store/sessions.ts';

const ACCESS_SECONDS = 900;

export type TokenPair = components['schemas']['TokenPair'];

/** What a signed-in client gets: a short-lived access token and the refresh token that replaces it. */
export function tokenPair(
  tokens: AccessTokens, member: Member, session: Pick<Session, 'id' | 'mfa' | 'passwordOutdated'>,
  refresh: { readonly token: string; readonly expiresAt: Date }, now: Date,
): TokenPair {
  const { user, role, tenant } = member;
  const refreshExpiresIn = Math.max(1, Math.floor((refresh.expiresAt.getTime() - now.getTime()) / 1000));
  // No token outlives its login; it would be refused anyway.
  const expiresIn = Math.min(ACCESS_SECONDS, refreshExpiresIn);
  // RFC 8176 §2.
  const amr = session.mfa ? ['pwd', 'otp'] : ['pwd'];
  return {
    accessToken: tokens.forUser({ userId: user.id, tenantId: tenant.id, sessionId: session.id, role, amr }, expiresIn),
    tokenType: 'Bearer',
    expiresIn,
    refreshToken: refresh.token,
    refreshExpiresIn,
    user: identityOf(member),
    passwordChangeRequired: session.passwordOutdated,
  };
}
