/**
 * Decides whether a session has presented a second factor just now or recently. Created by the index and called by the
 * request layer for operations with `x-step-up`. Wrong codes are counted, so a thief of a session cannot try all codes.
 */
import { MINUTE_MILLISECONDS, type RealTime } from '../../base/time.ts';
import { isMfaEnrolled } from '../../identity/second-factor-store.ts';
import { isRepeatedCode, verifySecondFactor } from '../../identity/second-factor.ts';
import type { VerifyStepUp } from '../../request/authorize.ts';
import { normalEmail } from '../../rules/email-address.ts';
import { findMember } from '../accounts/index.ts';
import { type AuthenticationDependencies, countFailure, sessionThrottle } from '../login-throttle/index.ts';
import { findSession, recordStepUp, type Session } from '../sessions/index.ts';

/** How long a second factor stays valid for the session that presented it. */
const STEP_UP_VALIDITY = 5 * MINUTE_MILLISECONDS;

/**
 * Returns a function that decides whether the session presents a second factor now or has done so recently. A code in
 * the request decides, whatever was presented before. A wrong code is counted for the session and its person, because
 * otherwise a thief of the session could try all codes. The last code of the session is accepted again while it is
 * recent, because a client that lost the response repeats its request unchanged.
 */
export function stepUpVerifier({
  database,
  mail,
  keys,
  throttle: options,
}: Pick<AuthenticationDependencies, 'database' | 'mail' | 'keys' | 'throttle'>): VerifyStepUp {
  return async ({ tenantId, userId, sessionId }, code, origin) => {
    const { now } = origin;
    if (code === undefined) {
      const [session, enrolled] = await database.platform({ tenantId, readOnly: true }, (tx) =>
        Promise.all([findSession(tx, tenantId, sessionId), isMfaEnrolled(tx, userId)]),
      );
      return enrolled && recentStepUp(session, now) !== null;
    }
    return database.platform({ tenantId }, async (tx) => {
      const member = await findMember(tx, tenantId, userId);
      if (member === null) return false;
      const throttle = sessionThrottle(options, { email: normalEmail(member.user.email), userId, sessionId }, now);
      if ((await throttle.enter(tx)) !== null) return false;
      const factor = await verifySecondFactor(tx, keys, userId, { proof: { totpCode: code }, now });
      if (factor === 'totp') {
        await recordStepUp(tx, tenantId, sessionId, now);
        return true;
      }
      const givenAt = recentStepUp(await findSession(tx, tenantId, sessionId), now);
      if (givenAt !== null && (await isRepeatedCode(tx, keys, userId, { code, takenAt: givenAt }))) return true;
      // Without a second factor there is no code to guess, so no failure is counted.
      if (factor === 'wrong')
        await countFailure(tx, mail, origin, {
          throttle,
          user: member.user,
          tenantIds: [tenantId],
          reason: null,
          notice: 'sessionLocked',
        });
      return false;
    });
  };
}

/** Returns when the session last presented a second factor, if that is still valid. */
function recentStepUp(session: Session | null, now: RealTime): Date | null {
  const at = session?.stepUpAt ?? null;
  return at !== null && now.getTime() - at.getTime() < STEP_UP_VALIDITY ? at : null;
}
