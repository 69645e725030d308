import type { Schemas } from '../../app/api.ts';
import { answerOf, done } from '../../app/problem.ts';
import { plain, sessionState, signIn, signOut } from '../../app/session.ts';

/**
 * Accepts an invitation and signs in. What the service answers is a session for programs; it is ended at once, so that none is
 * left that nobody uses, and the browser opens one of its own with the password that was just given. False says that the person
 * must sign in themselves: a code of their authenticator is good for one use, and this one is used.
 */
export async function join(body: Schemas['InvitationAccept']): Promise<boolean> {
  const { accessToken, user } = await answerOf(plain.POST('/v1/auth/invitations/accept', { body }));
  const headers = { Authorization: `Bearer ${accessToken}` };
  const { tenant } = await answerOf(plain.GET('/v1/auth/me', { headers }));
  await done(plain.POST('/v1/auth/logout', { headers, body: {} }));
  if (sessionState().status === 'signed-in') await signOut();
  if (user.mfaEnabled) return false;
  await signIn({ email: user.email, password: body.password, tenantSlug: tenant.slug });
  return true;
}
