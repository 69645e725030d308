import type { Context } from '../../contract/handlers.ts';
import { Problem } from '../../http/problem.ts';
import { confirmPassword } from './confirm-password.ts';
import { normalEmail } from './email.ts';
import type { AuthParts } from './parts.ts';
import { hashPassword } from './password.ts';
import { Places } from './places.ts';
import { recordOfPerson, type Origin } from './record.ts';
import { assertStrong, isReused, setPassword } from './set-password.ts';
import { endSessionsOfPerson, trustPassword } from './store/sessions.ts';

/** Whoever is signed in elsewhere has to come with the new password. */
export async function changePassword(parts: AuthParts, request: Pick<Context<'changePassword'>, 'body' | 'principal' | keyof Origin>): Promise<void> {
  const { body: { currentPassword, newPassword }, principal, now } = request;
  const { tenantId, userId, sessionId } = principal;
  const person = await confirmPassword(parts, principal, currentPassword, request);
  await assertStrong(person, newPassword);
  if (await isReused(parts, person, newPassword)) throw new Problem('password_reused');
  const newHash = await hashPassword(newPassword);
  await parts.database.platform({ tenantId }, async (tx) => {
    if (!await setPassword(tx, parts, person, newHash, now)) throw new Problem('invalid_current_password');
    await Promise.all([
      endSessionsOfPerson(tx, userId, sessionId, now, 'password_changed'), trustPassword(tx, tenantId, sessionId),
      new Places(parts.throttle.key, normalEmail(person.user.email), request).begin(tx),
    ]);
    recordOfPerson<'changePassword'>(tx, person, request, 'auth.password.changed');
  });
  parts.credentials.forgetUser(userId);
}
