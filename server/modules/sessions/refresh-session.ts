import { Problem } from '../../contract/problem.ts';
import { type Transaction, withinTenant } from '../../database/index.ts';
import { assertTenantOpen } from '../../identity/tenant.ts';
import type { Context } from '../../request/handler.ts';
import { auditSubjectOf, findMember, type Member, recordPublicEvent, type RequestOrigin, securityPolicy } from '../accounts/index.ts';
import { type AuthenticationDependencies } from '../login-throttle/index.ts';
import { hashUserAgent, tokenPair, type TokenPair } from './open-session.ts';
import { assessRefreshToken, hashRefreshToken, isRefreshToken, slidingEnd, successorOf } from './refresh-token.ts';
import {
  endSessions, findSession, findToken, insertToken, lockToken, type Session, type StoredToken, supersedeToken, touchSession,
} from './store.ts';

type RefreshRequest = Pick<Context<'refresh'>, 'body' | keyof RequestOrigin>;

export async function refreshSession(dependencies: AuthenticationDependencies, request: RefreshRequest): Promise<TokenPair> {
  if (!isRefreshToken(request.body.refreshToken)) throw new Problem('refresh_token_invalid');
  const outcome = await dependencies.database.platform({ tenantId: null }, (tx) => rotateToken(tx, dependencies, request));
  if ('reused' in outcome) {
    dependencies.credentials.forgetSession(outcome.reused.tenantId, outcome.reused.id);
    throw new Problem('refresh_token_reused');
  }
  return outcome;
}

/** The next pair, or the session that ended because its token was presented twice: an end that must be committed. */
async function rotateToken(tx: Transaction, dependencies: AuthenticationDependencies, request: RefreshRequest): Promise<TokenPair | { reused: Session }> {
  const { body, now, userAgent } = request;
  const stored = await lockToken(tx, hashRefreshToken(body.refreshToken));
  if (stored === null) throw new Problem('refresh_token_invalid');
  const successor = successorOf(dependencies.successorKey, body.refreshToken);
  // Read after the lock was obtained: a parallel request may just have made the successor.
  const [session, next] = await Promise.all([
    findSession(tx, stored.tenantId, stored.sessionId), stored.supersededAt === null ? null : findToken(tx, hashRefreshToken(successor)),
  ]);
  if (session === null) throw new Problem('refresh_token_invalid');
  const verdict = assessRefreshToken({
    expiresAt: stored.expiresAt, usedAt: stored.supersededAt, successorUsed: next !== null && next.supersededAt !== null,
    userAgentHash: session.userAgentHash ?? Buffer.alloc(0), sessionEndedAt: session.endedAt,
  }, hashUserAgent(userAgent), now);
  if (verdict === 'ended') throw new Problem('refresh_token_invalid');
  if (verdict === 'expired') throw new Problem('refresh_token_expired');
  const member = await findMember(tx, session.tenantId, session.userId);
  if (verdict === 'reused') return { reused: await endFamily(tx, dependencies, session, member, request) };
  if (member === null) throw new Problem('refresh_token_invalid');
  assertTenantOpen(member.tenant.status);
  const expiresAt = next?.expiresAt ?? await replace(withinTenant(tx, session.tenantId), stored, session, successor, now);
  return tokenPair(dependencies.tokens, member, session, { token: successor, expiresAt }, now);
}

async function replace(tx: Transaction, stored: StoredToken, session: Session, successor: string, now: Date): Promise<Date> {
  const { tenantId, id: sessionId } = session;
  const hash = hashRefreshToken(successor);
  const { idleSeconds } = await securityPolicy(tx, tenantId);
  const expiresAt = slidingEnd(now, idleSeconds, session.absoluteExpiresAt);
  await Promise.all([
    insertToken(tx, { tenantId, sessionId, hash, issuedAt: now, expiresAt }),
    supersedeToken(tx, tenantId, stored.hash, hash, now),
    touchSession(tx, tenantId, sessionId, now, idleSeconds),
  ]);
  return expiresAt;
}

/** Two parties hold the token and nobody can tell which is the owner, so both must sign in again (RFC 9700 §4.14.2). */
async function endFamily(root: Transaction, { mail }: AuthenticationDependencies, session: Session, member: Member | null, origin: RequestOrigin): Promise<Session> {
  const { tenantId, id: sessionId, userId } = session;
  const { now, clientIp: ip } = origin;
  const tx = withinTenant(root, tenantId);
  await endSessions(tx, { tenantId, userId, sessionId, now, reason: 'reuse_detected' });
  recordPublicEvent<'refresh'>(tx, tenantId, origin, {
    ...auditSubjectOf(member?.user ?? { id: userId, name: 'former member' }, tenantId), resource: { type: 'session', id: sessionId },
    action: 'auth.refresh.reuse_detected', outcome: 'denied', reason: 'refresh_token_reused',
  });
  if (member !== null) {
    const { user: { email: address, name } } = member;
    const { locale } = await securityPolicy(tx, tenantId);
    mail.queue(tx, { to: { address, name }, locale, template: 'refreshTokenReused', values: { at: now, ip } });
  }
  return session;
}
