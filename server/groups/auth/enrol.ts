import { renderSVG } from 'uqr';
import type { components } from '../../contract/generated/types.ts';
import type { Context } from '../../contract/handlers.ts';
import { Problem } from '../../http/problem.ts';
import { confirmPassword } from './confirm-password.ts';
import { aboutUser } from './identity.ts';
import type { AuthParts } from './parts.ts';
import { mailTo, personOf } from './person.ts';
import { generateRecoveryCodes, hashRecoveryCode } from './recovery-code.ts';
import { record, recordOfPerson, type Origin } from './record.ts';
import { seal, unseal } from './sealed-secret.ts';
import { findAccountById, type Account } from './store/accounts.ts';
import { replaceRecoveryCodes } from './store/recovery-codes.ts';
import { endSessionsOfPerson, showFactor } from './store/sessions.ts';
import { beginEnrolment, confirmEnrolment, lockTotp } from './store/totp.ts';
import { describeSecret, generateTotpSecret, stepOf } from './totp.ts';

/** How long a new authenticator may wait for its first code. */
const PENDING = 10 * 60_000;

type Request<K extends 'enrollTotp' | 'confirmTotp'> = Pick<Context<K>, 'body' | 'principal' | keyof Origin>;

export async function enrol(parts: AuthParts, request: Request<'enrollTotp'>): Promise<components['schemas']['TotpEnrolment']> {
  const { body: { password }, principal, now } = request;
  const { tenantId, userId } = principal;
  const { user } = await confirmPassword(parts, principal, password, request);
  const secret = generateTotpSecret();
  const expiresAt = new Date(now.getTime() + PENDING);
  await parts.database.platform({ tenantId }, async (tx) => {
    if (!await beginEnrolment(tx, userId, seal(parts.keys.totp, userId, secret), now, expiresAt)) throw new Problem('mfa_already_enabled');
    record<'enrollTotp'>(tx, tenantId, request, { ...aboutUser(user, tenantId), action: 'auth.mfa.enrolled', outcome: 'success' });
  });
  const described = describeSecret(secret, user.email);
  // ISO/IEC 18004 asks for a quiet zone of four modules.
  return { ...described, qrSvg: renderSVG(described.otpauthUri, { ecc: 'M', border: 4 }), expiresAt: expiresAt.toISOString() };
}

/** The first code proves that the authenticator has the secret. From now on nobody stays signed in who has not shown it. */
export async function confirmEnrolled(
  { database, keys, mail, credentials }: AuthParts, request: Request<'confirmTotp'>,
): Promise<components['schemas']['RecoveryCodes']> {
  const { body: { code }, principal: { tenantId, userId, sessionId }, now } = request;
  const recoveryCodes = generateRecoveryCodes();
  await database.platform({ tenantId }, async (tx) => {
    const pending = await lockTotp(tx, userId);
    if (pending === null || pending.expiresAt === null || pending.expiresAt <= now) throw new Problem('no_pending_enrolment');
    const step = stepOf(unseal(keys.totp, userId, pending.secret), code, now);
    if (step === null) throw wrongCode('/code');
    await Promise.all([
      confirmEnrolment(tx, userId, step, now),
      replaceRecoveryCodes(tx, userId, recoveryCodes.map((each) => hashRecoveryCode(keys.recovery, userId, each))),
      showFactor(tx, tenantId, sessionId, now),
      endSessionsOfPerson(tx, userId, sessionId, now, 'mfa_changed'),
    ]);
    const person = await personOf(tx, await findAccountById(tx, userId) as Account);
    recordOfPerson<'confirmTotp'>(tx, person, request, 'auth.mfa.confirmed');
    mail.queue(tx, { ...mailTo(person.user, person.policies), template: 'mfaEnrolled', values: { at: now } });
  });
  credentials.forgetUser(userId);
  return { recoveryCodes };
}

export function wrongCode(pointer: string): Problem {
  return new Problem('invalid_totp_code', { errors: [{ pointer, code: 'invalid_totp_code', message: 'is wrong or was used before' }] });
}
