/**
 * Renews a session by its refresh token. Called by the handlers, for programs and for browsers. A token that is
 * presented twice ends the session, unless it is a retry within seconds. What must be stored before a refusal is
 * committed first and the error thrown afterwards.
 */
import type { RealTime } from '../../base/time.ts';
import { Problem } from '../../contract/problem.ts';
import { type Transaction, withinTenant } from '../../database/index.ts';
import { assertTenantOpen } from '../../identity/tenant.ts';
import {
  auditSubjectOf,
  findMember,
  type Member,
  recordPublicEvent,
  type RequestOrigin,
  securityPolicy,
} from '../accounts/index.ts';
import { type AuthenticationDependencies } from '../login-throttle/index.ts';
import { hashUserAgent, openedSession, type OpenedSession } from './open-session.ts';
import { refuseProof } from './refuse-proof.ts';
import {
  assessRefreshToken,
  hashRefreshToken,
  isCsrfTokenOf,
  isRefreshToken,
  isRetry,
  slidingEnd,
  successorOf,
} from './refresh-token.ts';
import { insertToken, lockToken, type StoredToken, supersedeToken } from './refresh-token-store.ts';
import { endSessions, findSession, type Session, touchSession } from './store.ts';

/** Refresh token as presented: in a body, or in a cookie together with the proof of a page of the service. */
export type PresentedToken =
  | { readonly clientKind: 'program'; readonly token: string }
  | { readonly clientKind: 'browser'; readonly token: string; readonly proof: string | undefined };

export async function refreshSession(
  dependencies: AuthenticationDependencies,
  presented: PresentedToken,
  origin: RequestOrigin,
): Promise<OpenedSession> {
  if (!isRefreshToken(presented.token, presented.clientKind)) throw new Problem('refresh_token_invalid');
  const outcome = await dependencies.database.platform({ tenantId: null }, (tx) =>
    rotateToken(tx, dependencies, presented, origin),
  );
  if (outcome instanceof Problem) throw outcome;
  if ('reused' in outcome) {
    dependencies.credentials.forgetSession(outcome.reused.tenantId, outcome.reused.id);
    throw new Problem('refresh_token_reused');
  }
  return outcome;
}

type Rotation = OpenedSession | { readonly reused: Session } | Problem;

/**
 * Rotates a token. Returns the next pair, or what must be committed before the error: the session that ended because
 * its token was presented twice, or a recorded refusal.
 */
async function rotateToken(
  tx: Transaction,
  dependencies: AuthenticationDependencies,
  presented: PresentedToken,
  origin: RequestOrigin,
): Promise<Rotation> {
  const { now, userAgent } = origin;
  const stored = await lockToken(tx, hashRefreshToken(presented.token));
  if (stored === null) throw new Problem('refresh_token_invalid');
  // The session is read after the lock was obtained, because a parallel request may just have created the successor.
  const session = await findSession(tx, stored.tenantId, stored.sessionId);
  if (session === null) throw new Problem('refresh_token_invalid');
  if (presented.clientKind === 'browser' && !isCsrfTokenOf(dependencies.proofKey, session.id, presented.proof))
    return refuseProof(tx, session, origin);
  const next = await successorIn(tx, presented, stored, { key: dependencies.successorKey, now });
  const verdict = assessRefreshToken(
    {
      expiresAt: stored.expiresAt,
      usedAt: stored.supersededAt,
      successorUsed: next.stored !== null && next.stored.supersededAt !== null,
      userAgentHash: session.userAgentHash ?? Buffer.alloc(0),
      sessionEndedAt: session.endedAt,
    },
    hashUserAgent(userAgent),
    now,
  );
  if (verdict === 'ended') throw new Problem('refresh_token_invalid');
  if (verdict === 'expired') throw new Problem('refresh_token_expired');
  const member = await findMember(tx, session.tenantId, session.userId);
  if (verdict === 'reused') return { reused: await endFamily(tx, dependencies, { session, member }, origin) };
  if (member === null) throw new Problem('refresh_token_invalid');
  assertTenantOpen(member.tenant.status);
  const expiresAt =
    next.stored?.expiresAt ??
    (await replace(withinTenant(tx, session.tenantId), { stored, session, successor: next.token }, now));
  const refresh = { token: next.token, expiresAt };
  return openedSession(dependencies.tokens, { member, session, refresh }, now);
}

/**
 * Returns the next token, with its stored row if it was created before. Tabs and reloads of one browser overtake each
 * other, so a token may arrive after its successor has been replaced, too. Within the retry window they all get the
 * newest one, because otherwise pressing F5 three times would look like theft.
 */
async function successorIn(
  tx: Transaction,
  { clientKind, token }: Pick<PresentedToken, 'clientKind' | 'token'>,
  { supersededAt }: StoredToken,
  at: { readonly key: Buffer; readonly now: RealTime },
): Promise<{ readonly token: string; readonly stored: StoredToken | null }> {
  const successor = successorOf(at.key, token);
  const stored = supersededAt === null ? null : await lockToken(tx, hashRefreshToken(successor));
  const isOvertaken =
    clientKind === 'browser' &&
    supersededAt !== null &&
    isRetry(supersededAt, at.now) &&
    stored !== null &&
    stored.supersededAt !== null;
  return isOvertaken ? successorIn(tx, { clientKind, token: successor }, stored, at) : { token: successor, stored };
}

/** Token of a session that is replaced by its successor. */
interface Replacement {
  readonly stored: StoredToken;
  readonly session: Session;
  readonly successor: string;
}

async function replace(tx: Transaction, { stored, session, successor }: Replacement, now: RealTime): Promise<Date> {
  const { tenantId, id: sessionId } = session;
  const hash = hashRefreshToken(successor);
  const { idleSeconds } = await securityPolicy(tx, tenantId);
  const expiresAt = slidingEnd(now, idleSeconds, session.absoluteExpiresAt);
  await Promise.all([
    insertToken(tx, {
      tenantId,
      sessionId,
      hash,
      issuedAt: now,
      expiresAt,
    }),
    supersedeToken(tx, stored, hash, now),
    touchSession(tx, session, idleSeconds, now),
  ]);
  return expiresAt;
}

/**
 * Ends the session. Two parties hold the token and the owner cannot be identified, so both must sign in again (RFC 9700
 * §4.14.2).
 */
async function endFamily(
  root: Transaction,
  { mail }: AuthenticationDependencies,
  { session, member }: { readonly session: Session; readonly member: Member | null },
  origin: RequestOrigin,
): Promise<Session> {
  const { tenantId, id: sessionId, userId } = session;
  const { now, clientIp: ip } = origin;
  const tx = withinTenant(root, tenantId);
  await endSessions(tx, {
    tenantId,
    userId,
    sessionId,
    now,
    reason: 'reuse_detected',
  });
  recordPublicEvent<'refresh'>(tx, tenantId, origin, {
    ...auditSubjectOf(member?.user ?? { id: userId, name: 'former member' }, tenantId),
    resource: { type: 'session', id: sessionId },
    action: 'auth.refresh.reuse_detected',
    outcome: 'denied',
    reason: 'refresh_token_reused',
  });
  if (member !== null) {
    const { email: address, name } = member.user;
    const { locale } = await securityPolicy(tx, tenantId);
    mail.queue(tx, {
      to: { address, name },
      locale,
      template: 'refreshTokenReused',
      values: { at: now, ip },
    });
  }
  return session;
}
