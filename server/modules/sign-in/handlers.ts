import type { HandlersOf } from '../../request/handler.ts';
import type { Services } from '../../request/services.ts';
import { acceptInvitation } from '../invitations/accept-invitation.ts';
import { authenticationDependencies } from '../login-throttle/confirm-password.ts';
import { changePassword, LINK_VALID_MINUTES, requestReset, resetPassword } from '../passwords/change-password.ts';
import { beginTotpEnrolment, confirmTotpEnrolment, disableSecondFactor } from '../second-factor/enrolment.ts';
import { readCurrentUser } from '../sessions/current-user.ts';
import { refreshSession } from '../sessions/refresh-session.ts';
import { endSessions } from '../sessions/store.ts';
import { signIn } from './sign-in.ts';

export const auth = (services: Services) => {
  const parts = authenticationDependencies(services);
  const { credentials } = parts;

  return {
    login: async (ctx) => ctx.reply(200, await signIn(parts, ctx)),

    refreshToken: async (ctx) => ctx.reply(200, await refreshSession(parts, ctx)),

    logout: async ({ tx, principal: { tenantId, userId, sessionId }, body, now, audit, afterCommit, reply }) => {
      const everywhere = body?.everywhere === true;
      const ended = await endSessions(tx, { tenantId, userId, ...(!everywhere && { sessionId }), now, reason: 'logout' });
      if (ended.length > 0) audit('auth.logout', { type: 'user', id: userId }, { sessions: ended });
      afterCommit(() => ended.forEach((id) => credentials.forgetSession(tenantId, id)));
      return reply(204);
    },

    getCurrentUser: async (ctx) => ctx.reply(200, await readCurrentUser(ctx)),

    enrollTotp: async (ctx) => ctx.reply(200, await beginTotpEnrolment(parts, ctx)),

    confirmTotp: async (ctx) => ctx.reply(200, await confirmTotpEnrolment(parts, ctx)),

    disableTotp: async (ctx) => {
      await disableSecondFactor(parts, ctx);
      return ctx.reply(204);
    },

    requestPasswordReset: async (ctx) => {
      await requestReset(parts, ctx);
      return ctx.reply(202, { linkValidMinutes: LINK_VALID_MINUTES });
    },

    resetPassword: async (ctx) => {
      await resetPassword(parts, ctx);
      return ctx.reply(204);
    },

    changePassword: async (ctx) => {
      await changePassword(parts, ctx);
      return ctx.reply(204);
    },

    acceptInvitation: async (ctx) => ctx.reply(201, await acceptInvitation(parts, ctx), { Location: '/v1/auth/me' }),
  } satisfies HandlersOf<'auth'>;
};
