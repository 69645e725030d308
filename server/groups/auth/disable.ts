import type { Context } from '../../contract/handlers.ts';
import { Problem } from '../../http/problem.ts';
import { confirmPassword } from './confirm-password.ts';
import { countFailure } from './count-failure.ts';
import { normalEmail } from './email.ts';
import { wrongCode } from './enrol.ts';
import type { AuthParts } from './parts.ts';
import { mailTo } from './person.ts';
import { recordOfPerson, type Origin } from './record.ts';
import { judgeFactor, removeFactors } from './second-factor.ts';
import { withdrawFactor } from './store/sessions.ts';
import { sessionThrottle } from './throttle.ts';

/** Refused while any of the person's tenants demands a second factor. */
export async function disable(parts: AuthParts, request: Pick<Context<'disableTotp'>, 'body' | 'principal' | keyof Origin>): Promise<void> {
  const { database, keys, mail, credentials } = parts;
  const { body: { password, code, recoveryCode }, principal, now } = request;
  const { tenantId, userId, sessionId } = principal;
  if (code === undefined && recoveryCode === undefined) {
    throw new Problem('validation_failed', { errors: [{ pointer: '/code', code: 'required', message: 'is required, or `recoveryCode`' }] });
  }
  const person = await confirmPassword(parts, principal, password, request);
  const { user, policies } = person;
  if (policies.some(({ mfaRequired }) => mfaRequired)) throw new Problem('mfa_required_by_policy');
  const throttle = sessionThrottle(parts.throttle, { email: normalEmail(user.email), userId, sessionId }, now);
  const refusal = await database.platform({ tenantId }, async (tx) => {
    const locked = await throttle.enter(tx);
    if (locked !== null) return locked;
    const factor = await judgeFactor(tx, keys, userId, { totpCode: code, recoveryCode }, now);
    const wrong = wrongCode(code === undefined ? '/recoveryCode' : '/code');
    if (factor === 'none') return wrong;
    if (factor === 'wrong') {
      await countFailure(tx, mail, { throttle, user, tenantIds: [tenantId], reason: 'invalid_mfa_code', notice: 'sessionLocked' }, request);
      return wrong;
    }
    await Promise.all([removeFactors(tx, userId), withdrawFactor(tx, userId)]);
    recordOfPerson<'disableTotp'>(tx, person, request, 'auth.mfa.disabled');
    mail.queue(tx, { ...mailTo(user, policies), template: 'mfaDisabled', values: { at: now } });
    return null;
  });
  if (refusal !== null) throw refusal;
  credentials.forgetUser(userId);
}
