/**
 * Sessions: signed-in users, with rotating refresh tokens (RFC 9700 §4.14.2). A session begins with a sign-in or an
 * accepted invitation, and ends by logout, by idle time, or by an explicit revocation. Access tokens last fifteen
 * minutes; refresh tokens work once, and presenting one twice ends the session, because two parties then hold it.
 *
 * The module may use accounts, api-keys (only unrestricted keys end sessions), login-throttle, identity and database.
 *
 * `POST /v1/auth/refresh`: `refreshSession` locks the row of the token's hash, `assessRefreshToken` decides (rotate,
 * repeat the last answer, reused, expired), and the successor is derived from the token by a keyed function, so that a
 * client that lost the response gets the same one again within ten seconds although nothing readable is stored.
 */
import type { Module } from '../../tasks/module.ts';
import { sessionHandlers } from './handlers.ts';
import { lockInactiveJob } from './lock-inactive.ts';

export { keepInBrowser } from './browser-session.ts';
export { openSession, type OpenedSession, type TokenPair } from './open-session.ts';
export type { ClientKind } from './refresh-token.ts';
export {
  endSessions,
  endSessionsOfPerson,
  findSession,
  recordStepUp,
  type Session,
  showFactor,
  trustPassword,
  withdrawFactor,
} from './store.ts';

export const sessionsModule = {
  name: 'sessions',
  handlers: sessionHandlers,
  jobs: [lockInactiveJob],
} satisfies Module<never>;
