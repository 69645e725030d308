import type { UserPrincipal } from '../../contract/principal.ts';
import { Problem } from '../../http/problem.ts';
import { countFailure } from './count-failure.ts';
import { normalEmail } from './email.ts';
import type { AuthParts } from './parts.ts';
import { verifyPassword } from './password.ts';
import { personOf, type Person } from './person.ts';
import type { Origin } from './record.ts';
import { findAccountById } from './store/accounts.ts';
import { sessionThrottle } from './throttle.ts';

/**
 * Somebody at an open session proves anew who they are. Whoever found or stole the session and guesses is locked out,
 * and a stranger who fails to sign in locks out nobody here.
 */
export async function confirmPassword({ database, mail, throttle: options }: AuthParts, principal: UserPrincipal, password: string, origin: Origin): Promise<Person> {
  const { tenantId, userId, sessionId } = principal;
  const person = await database.platform({ tenantId: null }, async (tx) => {
    const account = await findAccountById(tx, userId);
    return account === null ? null : personOf(tx, account);
  });
  if (person === null) throw new Problem('invalid_current_password');
  const throttle = sessionThrottle(options, { email: normalEmail(person.user.email), userId, sessionId }, origin.now);
  const refusal = await database.platform({ tenantId: null, readOnly: true }, (tx) => throttle.refusal(tx));
  if (refusal !== null) throw refusal;
  const right = await verifyPassword(person.passwordHash, password);
  const failure = await database.platform({ tenantId }, async (tx) => {
    // Also for the right one: of guesses that come together those behind the lock learn nothing.
    const locked = await throttle.enter(tx);
    if (locked !== null || right) return locked;
    await countFailure(tx, mail, { throttle, user: person.user, tenantIds: [tenantId], reason: null, notice: 'sessionLocked' }, origin);
    return new Problem('invalid_current_password');
  });
  if (failure !== null) throw failure;
  return person;
}
