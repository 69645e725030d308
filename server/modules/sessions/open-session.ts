/**
 * Opens a session and issues its tokens. Called, through the index, by sign-in and invitations, and by renewals. Access
 * tokens never outlive the session. The caller has verified the person; nothing is verified here.
 */
import type { RealTime } from '../../base/time.ts';
import { createHash } from 'node:crypto';
import { uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Transaction } from '../../database/index.ts';
import type { AccessTokens } from '../../identity/access-token.ts';
import type { SecondFactorResult } from '../../identity/second-factor.ts';
import { identityOf, type Member, type RequestOrigin } from '../accounts/index.ts';
import { insertToken } from './refresh-token-store.ts';
import {
  absoluteEnd,
  generateRefreshToken,
  hashRefreshToken,
  type ClientKind,
  type SessionLifetime,
  slidingEnd,
} from './refresh-token.ts';
import { insertSession, type Session } from './store.ts';

const ACCESS_SECONDS = 900;

export type TokenPair = components['schemas']['TokenPair'];

/** A session with its tokens: a short-lived access token and the refresh token that replaces it. */
export interface OpenedSession {
  readonly id: string;
  readonly pair: TokenPair;
}

/** Session for which tokens are issued, with its member and its current refresh token. */
interface TokenGrant {
  readonly member: Member;
  readonly session: Pick<Session, 'id' | 'mfa' | 'passwordOutdated'>;
  readonly refresh: { readonly token: string; readonly expiresAt: Date };
}

export function openedSession(
  tokens: AccessTokens,
  { member, session, refresh }: TokenGrant,
  now: RealTime,
): OpenedSession {
  const { user, role, tenant } = member;
  const refreshExpiresIn = Math.max(1, Math.floor((refresh.expiresAt.getTime() - now.getTime()) / 1000));
  // No access token outlives its session, because it would be refused anyway.
  const expiresIn = Math.min(ACCESS_SECONDS, refreshExpiresIn);
  // RFC 8176 §2.
  const amr = session.mfa ? ['pwd', 'otp'] : ['pwd'];
  const subject = {
    userId: user.id,
    tenantId: tenant.id,
    sessionId: session.id,
    role,
    amr,
  };
  const pair: TokenPair = {
    accessToken: tokens.forUser(subject, expiresIn),
    tokenType: 'Bearer',
    expiresIn,
    refreshToken: refresh.token,
    refreshExpiresIn,
    user: identityOf(member),
    passwordChangeRequired: session.passwordOutdated,
  };
  return { id: session.id, pair };
}

const LONGEST_USER_AGENT = 300;

/**
 * Hashes the user agent, which binds a session to the program that opened it without storing more of the user agent
 * than is shown.
 */
export function hashUserAgent(userAgent: string): Buffer {
  return createHash('sha256').update(userAgent).digest();
}

/**
 * How the session was opened: the member and the lifetime by their tenant's policy, the client that stores the refresh
 * token, the second factor, and the state of the password.
 */
interface Opening {
  readonly member: Member;
  readonly lifetime: SessionLifetime;
  readonly clientKind: ClientKind;
  readonly factor: SecondFactorResult;
  readonly passwordOutdated: boolean;
}

/** Opens a session for the member, with the first refresh token of its family. */
export async function openSession(
  tx: Transaction,
  tokens: AccessTokens,
  { member, lifetime, clientKind, factor, passwordOutdated }: Opening,
  { clientIp, userAgent, now }: RequestOrigin,
): Promise<OpenedSession> {
  const tenantId = member.tenant.id;
  const { idleSeconds } = lifetime;
  const absoluteExpiresAt = absoluteEnd(now, lifetime);
  const session = {
    tenantId,
    id: uuidv7(),
    userId: member.user.id,
    createdAt: now,
    absoluteExpiresAt,
    idleSeconds,
    userAgent: userAgent.slice(0, LONGEST_USER_AGENT),
    userAgentHash: hashUserAgent(userAgent),
    ip: clientIp,
    mfa: factor === 'totp' || factor === 'recovery_code',
    passwordOutdated,
    // A recovery code allows the sign-in, but no operation that needs a fresh second factor: that requires an
    // authenticator.
    stepUpAt: factor === 'totp' ? now : null,
  };
  const refresh = {
    token: generateRefreshToken(clientKind),
    expiresAt: slidingEnd(now, idleSeconds, absoluteExpiresAt),
  };
  await Promise.all([
    insertSession(tx, session),
    insertToken(tx, {
      tenantId,
      sessionId: session.id,
      hash: hashRefreshToken(refresh.token),
      issuedAt: now,
      expiresAt: refresh.expiresAt,
    }),
  ]);
  return openedSession(tokens, { member, session, refresh }, now);
}
