/**
 * Enrolling, confirming and removing an authenticator. Called by the handlers. Each step needs the password or a code,
 * and failures are counted. Refused if a tenant of the person requires the factor. Other sessions end, because they
 * have not shown it.
 */
import { renderSVG } from 'uqr';
import { seal, unseal } from '../../base/seal.ts';
import { MINUTE_MILLISECONDS } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import { Problem } from '../../contract/problem.ts';
import {
  beginEnrolment,
  confirmEnrolment,
  lockTotp,
  replaceRecoveryCodes,
} from '../../identity/second-factor-store.ts';
import {
  generateRecoveryCodes,
  hashRecoveryCode,
  removeSecondFactors,
  verifySecondFactor,
} from '../../identity/second-factor.ts';
import { describeSecret, generateTotpSecret, timeStepOf } from '../../identity/totp.ts';
import type { Context } from '../../request/handler.ts';
import { normalEmail } from '../../rules/email-address.ts';
import {
  type Account,
  auditSubjectOf,
  findAccountById,
  mailTo,
  personOf,
  recordInEveryTenant,
  recordPublicEvent,
  type RequestOrigin,
} from '../accounts/index.ts';
import {
  type AuthenticationDependencies,
  confirmPassword,
  countFailure,
  sessionThrottle,
} from '../login-throttle/index.ts';
import { endSessionsOfPerson, showFactor, withdrawFactor } from '../sessions/index.ts';

/** How long a new authenticator may wait for its first code. */
const ENROLMENT_VALIDITY = 10 * MINUTE_MILLISECONDS;

type EnrolmentRequest<K extends 'enrollTotp' | 'confirmTotp'> = Pick<
  Context<K>,
  'body' | 'principal' | keyof RequestOrigin
>;

export async function beginTotpEnrolment(
  dependencies: AuthenticationDependencies,
  request: EnrolmentRequest<'enrollTotp'>,
): Promise<components['schemas']['TotpEnrolment']> {
  const { body, principal, now } = request;
  const { tenantId, userId } = principal;
  const { user } = await confirmPassword(dependencies, principal, body.password, request);
  const secret = generateTotpSecret();
  const expiresAt = new Date(now.getTime() + ENROLMENT_VALIDITY);
  await dependencies.database.platform({ tenantId }, async (tx) => {
    const sealed = seal(dependencies.keys.totp, userId, secret);
    if (
      !(await beginEnrolment(tx, {
        userId,
        secret: sealed,
        now,
        expiresAt,
      }))
    )
      throw new Problem('mfa_already_enabled');
    recordPublicEvent<'enrollTotp'>(tx, tenantId, request, {
      ...auditSubjectOf(user, tenantId),
      action: 'auth.mfa.enrolled',
      outcome: 'success',
    });
  });
  const described = describeSecret(secret, user.email);
  // ISO/IEC 18004 requires a quiet zone of four modules.
  return {
    ...described,
    qrSvg: renderSVG(described.otpauthUri, { ecc: 'M', border: 4 }),
    expiresAt: expiresAt.toISOString(),
  };
}

/**
 * Confirms an enrolment. The first code proves that the authenticator has the secret. All other sessions of the person
 * end, because they have not shown the factor.
 */
export async function confirmTotpEnrolment(
  { database, keys, mail, credentials }: AuthenticationDependencies,
  request: EnrolmentRequest<'confirmTotp'>,
): Promise<components['schemas']['RecoveryCodes']> {
  const { now } = request;
  const { code } = request.body;
  const { tenantId, userId, sessionId } = request.principal;
  const recoveryCodes = generateRecoveryCodes();
  await database.platform({ tenantId }, async (tx) => {
    const pending = await lockTotp(tx, userId);
    if (pending === null || pending.expiresAt === null || pending.expiresAt <= now)
      throw new Problem('no_pending_enrolment');
    const step = timeStepOf(unseal(keys.totp, userId, pending.secret), code, now);
    if (step === null) throw wrongCode('/code');
    await Promise.all([
      confirmEnrolment(tx, userId, step, now),
      replaceRecoveryCodes(
        tx,
        userId,
        recoveryCodes.map((each) => hashRecoveryCode(keys.recovery, userId, each)),
      ),
      showFactor(tx, tenantId, sessionId, now),
      endSessionsOfPerson(tx, {
        userId,
        except: sessionId,
        reason: 'mfa_changed',
        now,
      }),
    ]);
    const person = await personOf(tx, (await findAccountById(tx, userId)) as Account);
    recordInEveryTenant<'confirmTotp'>(tx, person, request, 'auth.mfa.confirmed');
    mail.queue(tx, { ...mailTo(person.user, person.policies), template: 'mfaEnrolled', values: { at: now } });
  });
  credentials.forgetUser(userId);
  return { recoveryCodes };
}

function wrongCode(pointer: string): Problem {
  return new Problem('invalid_totp_code', {
    errors: [{ pointer, code: 'invalid_totp_code', message: 'is wrong or was used before' }],
  });
}

/** Removes the second factor, unless one of the person's tenants requires it. */
export async function disableSecondFactor(
  dependencies: AuthenticationDependencies,
  request: Pick<Context<'disableTotp'>, 'body' | 'principal' | keyof RequestOrigin>,
): Promise<void> {
  const { database, keys, mail, credentials } = dependencies;
  const { principal, now } = request;
  const { password, code, recoveryCode } = request.body;
  const { tenantId, userId, sessionId } = principal;
  if (code === undefined && recoveryCode === undefined) {
    throw new Problem('validation_failed', {
      errors: [{ pointer: '/code', code: 'required', message: 'is required, or `recoveryCode`' }],
    });
  }
  const person = await confirmPassword(dependencies, principal, password, request);
  const { user, policies } = person;
  if (policies.some(({ mfaRequired }) => mfaRequired)) throw new Problem('mfa_required_by_policy');
  const throttle = sessionThrottle(dependencies.throttle, { email: normalEmail(user.email), userId, sessionId }, now);
  const refusal = await database.platform({ tenantId }, async (tx) => {
    const locked = await throttle.enter(tx);
    if (locked !== null) return locked;
    const factor = await verifySecondFactor(tx, keys, userId, { proof: { totpCode: code, recoveryCode }, now });
    const wrong = wrongCode(code === undefined ? '/recoveryCode' : '/code');
    if (factor === 'none') return wrong;
    if (factor === 'wrong') {
      await countFailure(tx, mail, request, {
        throttle,
        user,
        tenantIds: [tenantId],
        reason: 'invalid_mfa_code',
        notice: 'sessionLocked',
      });
      return wrong;
    }
    await Promise.all([removeSecondFactors(tx, userId), withdrawFactor(tx, userId)]);
    recordInEveryTenant<'disableTotp'>(tx, person, request, 'auth.mfa.disabled');
    mail.queue(tx, { ...mailTo(user, policies), template: 'mfaDisabled', values: { at: now } });
    return null;
  });
  if (refusal !== null) throw refusal;
  credentials.forgetUser(userId);
}
