/**
 * Sessions of browsers: the refresh token is in a cookie that scripts cannot read, and a proof accompanies it. Called
 * by the handlers and, through the index, by sign-in and invitations. A cookie without its proof is refused, because
 * another site or a thief may have sent it.
 */
import { DAY_SECONDS, type RealTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import { Problem } from '../../contract/problem.ts';
import { type Transaction, withinTenant } from '../../database/index.ts';
import type { Context, Cookies } from '../../request/handler.ts';
import { auditSubjectOf, findMember, recordPublicEvent, type RequestOrigin } from '../accounts/index.ts';
import type { AuthenticationDependencies } from '../login-throttle/index.ts';
import type { OpenedSession } from './open-session.ts';
import { refreshSession } from './refresh-session.ts';
import { lockToken } from './refresh-token-store.ts';
import { csrfTokenOf, hashRefreshToken, isCsrfTokenOf, isRefreshToken, slidingEnd } from './refresh-token.ts';
import { refuseProof } from './refuse-proof.ts';
import { endSessions, findSession, type Session } from './store.ts';

type BrowserSession = components['schemas']['BrowserSession'];

/** Lifetime of the device cookie, equal to the time for which a sign-in location is known. */
const DEVICE_SECONDS = 90 * DAY_SECONDS;

/** Stores the refresh token in a cookie, and returns the rest of the session for the page. */
export function keepInBrowser(
  { proofKey }: Pick<AuthenticationDependencies, 'proofKey'>,
  cookies: Pick<Cookies<never>, 'keep'>,
  { id, pair }: OpenedSession,
): BrowserSession {
  const { refreshToken, deviceToken, ...session } = pair;
  cookies.keep('__Host-session', refreshToken, pair.refreshExpiresIn);
  if (deviceToken !== undefined) cookies.keep('__Host-device', deviceToken, DEVICE_SECONDS);
  return { ...session, csrfToken: csrfTokenOf(proofKey, id) };
}

type RenewRequest = Pick<Context<'renewBrowserSession'>, 'cookies' | 'headers' | keyof RequestOrigin>;

export async function renewBrowserSession(
  dependencies: AuthenticationDependencies,
  request: RenewRequest,
): Promise<BrowserSession> {
  const { cookies, headers } = request;
  try {
    const presented = {
      clientKind: 'browser',
      token: cookies.read('__Host-session') ?? '',
      proof: headers['x-csrf-token'],
    } as const;
    return keepInBrowser(dependencies, cookies, await refreshSession(dependencies, presented, request));
  } catch (error) {
    // The session cannot be restored, and no script could remove the cookie.
    if (error instanceof Problem && error.status === 401) cookies.clear('__Host-session');
    throw error;
  }
}

type CloseRequest = Pick<Context<'closeBrowserSession'>, 'cookies' | 'headers' | 'query' | keyof RequestOrigin>;

/**
 * Ends the session of the cookie, or all sessions of the user. Without a session the response is the same, unless all
 * sessions were to end.
 */
export async function closeBrowserSession(
  { database, credentials, proofKey }: AuthenticationDependencies,
  request: CloseRequest,
): Promise<void> {
  const { cookies, headers, now } = request;
  const { everywhere = false } = request.query;
  const token = cookies.read('__Host-session') ?? '';
  const outcome = !isRefreshToken(token, 'browser')
    ? null
    : await database.platform({ tenantId: null }, async (tx) => {
        const session = await sessionOf(tx, token);
        if (session === null) return null;
        if (!isCsrfTokenOf(proofKey, session.id, headers['x-csrf-token'])) return refuseProof(tx, session, request);
        return isOver(session, now)
          ? null
          : { session, ended: await end(withinTenant(tx, session.tenantId), session, everywhere, request) };
      });
  if (outcome instanceof Problem) throw outcome;
  cookies.clear('__Host-session');
  if (outcome === null && everywhere) throw new Problem('refresh_token_invalid');
  outcome?.ended.forEach((id) => credentials.forgetSession(outcome.session.tenantId, id));
}

/**
 * Finds the session of a token. A token that was replaced meanwhile counts too, because another tab may just have
 * renewed it.
 */
async function sessionOf(tx: Transaction, token: string): Promise<Session | null> {
  const stored = await lockToken(tx, hashRefreshToken(token));
  return stored === null ? null : findSession(tx, stored.tenantId, stored.sessionId);
}

function isOver({ endedAt, lastSeenAt, idleSeconds, absoluteExpiresAt }: Session, now: RealTime): boolean {
  return endedAt !== null || slidingEnd(lastSeenAt, idleSeconds, absoluteExpiresAt) <= now;
}

async function end(
  tx: Transaction,
  { tenantId, id, userId }: Session,
  everywhere: boolean,
  origin: RequestOrigin,
): Promise<string[]> {
  const ended = await endSessions(tx, {
    tenantId,
    userId,
    ...(!everywhere && { sessionId: id }),
    now: origin.now,
    reason: 'logout',
  });
  const member = await findMember(tx, tenantId, userId);
  recordPublicEvent<'closeBrowserSession'>(tx, tenantId, origin, {
    ...auditSubjectOf(member?.user ?? { id: userId, name: 'former member' }, tenantId),
    action: 'auth.logout',
    outcome: 'success',
    changes: [{ op: 'add', path: '/sessions', value: ended }],
  });
  return ended;
}
