import { createHash } from 'node:crypto';
import { uuidv7, type Transaction } from '../../database/index.ts';
import type { AccessTokens } from '../../http/access-token.ts';
import type { Member } from './identity.ts';
import type { Origin } from './record.ts';
import { generateRefreshToken, hashRefreshToken } from './refresh-token.ts';
import { absoluteEnd, slidingEnd, type Lifetime } from './rotation.ts';
import type { Factor } from './second-factor.ts';
import { insertToken } from './store/refresh-tokens.ts';
import { insertSession } from './store/sessions.ts';
import { tokenPair, type TokenPair } from './token-pair.ts';

const LONGEST_USER_AGENT = 300;

/** Binds a session to the program that opened it, without keeping more of it than people see. */
export function hashUserAgent(userAgent: string): Buffer {
  return createHash('sha256').update(userAgent).digest();
}

/** What the person showed when the session was opened. */
export interface Shown {
  readonly factor: Factor;
  readonly passwordOutdated: boolean;
}

/** A new login of the member: one session, and the first refresh token of its family. */
export async function openSession(
  tx: Transaction, tokens: AccessTokens, member: Member, lifetime: Lifetime, { factor, passwordOutdated }: Shown, { clientIp, userAgent, now }: Origin,
): Promise<TokenPair> {
  const tenantId = member.tenant.id;
  const { idleSeconds } = lifetime;
  const absoluteExpiresAt = absoluteEnd(now, lifetime);
  const session = {
    tenantId, id: uuidv7(), userId: member.user.id, createdAt: now, absoluteExpiresAt, idleSeconds,
    userAgent: userAgent.slice(0, LONGEST_USER_AGENT), userAgentHash: hashUserAgent(userAgent), ip: clientIp,
    mfa: factor === 'totp' || factor === 'recovery_code', passwordOutdated,
    // A recovery code lets its owner in. What needs a fresh second factor needs an authenticator.
    stepUpAt: factor === 'totp' ? now : null,
  };
  const refresh = { token: generateRefreshToken(), expiresAt: slidingEnd(now, idleSeconds, absoluteExpiresAt) };
  await Promise.all([
    insertSession(tx, session),
    insertToken(tx, { tenantId, sessionId: session.id, hash: hashRefreshToken(refresh.token), issuedAt: now, expiresAt: refresh.expiresAt }),
  ]);
  return tokenPair(tokens, member, session, refresh, now);
}
