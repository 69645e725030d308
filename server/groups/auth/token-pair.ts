import type { components } from '../../contract/generated/types.ts';
import type { AccessTokens } from '../../http/access-token.ts';
import { identityOf, type Member } from './identity.ts';

const ACCESS_SECONDS = 900;

export type TokenPair = components['schemas']['TokenPair'];

/** What a signed-in client gets: a short-lived access token and the refresh token that replaces it. */
export function tokenPair(
  tokens: AccessTokens, member: Member, sessionId: string, refresh: { readonly token: string; readonly expiresAt: Date }, now: Date,
): TokenPair {
  const { user, role, tenant } = member;
  return {
    accessToken: tokens.forUser({ userId: user.id, tenantId: tenant.id, sessionId, role, amr: ['pwd'] }, ACCESS_SECONDS),
    tokenType: 'Bearer',
    expiresIn: ACCESS_SECONDS,
    refreshToken: refresh.token,
    refreshExpiresIn: Math.max(1, Math.floor((refresh.expiresAt.getTime() - now.getTime()) / 1000)),
    user: identityOf(member),
    passwordChangeRequired: false,
  };
}
