import { createHash } from 'node:crypto';
import { uuidv7, type Transaction } from '../../database/index.ts';
import type { AccessTokens } from '../../http/access-token.ts';
import type { Member } from './identity.ts';
import type { Origin } from './record.ts';
import { generateRefreshToken, hashRefreshToken } from './refresh-token.ts';
import { absoluteEnd, slidingEnd } from './rotation.ts';
import { insertToken } from './store/refresh-tokens.ts';
import { insertSession } from './store/sessions.ts';
import { tokenPair, type TokenPair } from './token-pair.ts';

const LONGEST_USER_AGENT = 300;

/** Binds a session to the program that opened it, without keeping more of it than people see. */
export function hashUserAgent(userAgent: string): Buffer {
  return createHash('sha256').update(userAgent).digest();
}

/** A new login of the member: one session, and the first refresh token of its family. */
export async function openSession(tx: Transaction, tokens: AccessTokens, member: Member, { clientIp, userAgent, now }: Origin): Promise<TokenPair> {
  const tenantId = member.tenant.id;
  const sessionId = uuidv7(now.getTime());
  const absoluteExpiresAt = absoluteEnd(now);
  const refresh = { token: generateRefreshToken(), expiresAt: slidingEnd(now, absoluteExpiresAt) };
  await Promise.all([
    insertSession(tx, {
      tenantId, id: sessionId, userId: member.user.id, createdAt: now, absoluteExpiresAt,
      userAgent: userAgent.slice(0, LONGEST_USER_AGENT), userAgentHash: hashUserAgent(userAgent), ip: clientIp,
    }),
    insertToken(tx, { tenantId, sessionId, hash: hashRefreshToken(refresh.token), issuedAt: now, expiresAt: refresh.expiresAt }),
  ]);
  return tokenPair(tokens, member, sessionId, refresh, now);
}
