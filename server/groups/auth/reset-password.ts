import type { Context } from '../../contract/handlers.ts';
import type { Transaction } from '../../database/index.ts';
import { Problem } from '../../http/problem.ts';
import { countFailure } from './count-failure.ts';
import { normalEmail } from './email.ts';
import { hashToken } from './one-time-token.ts';
import type { AuthParts } from './parts.ts';
import { hashPassword } from './password.ts';
import { canSignIn, personOf, type Person } from './person.ts';
import { Places } from './places.ts';
import { recordOfPerson, type Origin } from './record.ts';
import { unauthorized } from './refusals.ts';
import { judgeFactor } from './second-factor.ts';
import { assertStrong, isReused, setPassword } from './set-password.ts';
import { findAccountById } from './store/accounts.ts';
import { findReset, lockReset, type PasswordReset } from './store/password-resets.ts';
import { endSessionsOfPerson } from './store/sessions.ts';
import { clearFailuresOf, showLockedUntil } from './store/throttle.ts';
import { resetThrottle } from './throttle.ts';

type Request = Pick<Context<'resetPassword'>, 'body' | keyof Origin>;

/**
 * The link stands for the password, so a second factor is asked for as at sign-in. It also ends every
 * lock: failures here are counted apart, or a stranger who keeps an account locked would keep its owner from this way out.
 */
export async function resetPassword(parts: AuthParts, request: Request): Promise<void> {
  const { database, credentials } = parts;
  const { body: { token, newPassword }, now } = request;
  const hash = hashToken(token);
  const person = await database.platform({ tenantId: null }, async (tx) => findPerson(tx, await findReset(tx, hash), now));
  const email = normalEmail(person.user.email);
  const throttle = resetThrottle(parts.throttle, email, now);
  const refusal = await database.platform({ tenantId: null, readOnly: true }, (tx) => throttle.refusal(tx));
  if (refusal !== null) throw refusal;
  await assertStrong(person, newPassword);
  const reused = await isReused(parts, person, newPassword);
  const newHash = await hashPassword(newPassword);

  const failure = await database.platform({ tenantId: null }, async (tx) => {
    const locked = await throttle.enter(tx);
    if (locked !== null) return locked;
    // Read again under its lock: of parallel uses one succeeds.
    const { userId } = valid(await lockReset(tx, hash), now);
    const factor = await judgeFactor(tx, parts.keys, userId, request.body, now);
    if (factor === 'missing') return unauthorized('mfa_required');
    const tenantIds = person.memberships.map(({ tenant }) => tenant.id);
    if (factor === 'wrong') {
      await countFailure(tx, parts.mail, { throttle, user: person.user, tenantIds, reason: 'invalid_mfa_code' }, request);
      return unauthorized('invalid_mfa_code');
    }
    // Only whoever has the second factor learns what the passwords were. Rolled back, its code can be used again.
    if (reused) throw new Problem('password_reused');
    if (!await setPassword(tx, parts, person, newHash, now)) throw new Problem('reset_token_invalid');
    await Promise.all([
      endSessionsOfPerson(tx, userId, null, now, 'password_reset'), clearFailuresOf(tx, throttle.account), showLockedUntil(tx, email, null),
      new Places(parts.throttle.key, email, request).begin(tx),
    ]);
    recordOfPerson<'resetPassword'>(tx, person, request, 'auth.password.reset');
    return null;
  });
  if (failure !== null) throw failure;
  credentials.forgetUser(person.user.id);
}

async function findPerson(tx: Transaction, reset: PasswordReset | null, now: Date): Promise<Person> {
  const account = await findAccountById(tx, valid(reset, now).userId);
  if (account === null || !canSignIn(account)) throw new Problem('reset_token_invalid');
  return personOf(tx, account);
}

/** One answer for a token that is unknown, used, replaced by a younger one, or too old. */
function valid(reset: PasswordReset | null, now: Date): PasswordReset {
  if (reset === null || reset.expiresAt <= now) throw new Problem('reset_token_invalid');
  return reset;
}
