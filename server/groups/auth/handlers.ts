import type { HandlersOf } from '../../contract/handlers.ts';
import type { Services } from '../../services.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { changePassword } from './change-password.ts';
import { disable } from './disable.ts';
import { confirmEnrolled, enrol } from './enrol.ts';
import { currentUser } from './me.ts';
import { authParts } from './parts.ts';
import { refresh } from './refresh.ts';
import { LINK_VALID_MINUTES, requestReset } from './request-reset.ts';
import { resetPassword } from './reset-password.ts';
import { signIn } from './sign-in.ts';
import { endSessions } from './store/sessions.ts';

export const auth = (services: Services) => {
  const parts = authParts(services);
  const { credentials } = parts;

  return {
    login: async (ctx) => ctx.reply(200, await signIn(parts, ctx)),

    refreshToken: async (ctx) => ctx.reply(200, await refresh(parts, ctx)),

    logout: async ({ tx, principal: { tenantId, userId, sessionId }, body, now, audit, afterCommit, reply }) => {
      const everywhere = body?.everywhere === true;
      const ended = await endSessions(tx, { tenantId, userId, ...(!everywhere && { sessionId }), now, reason: 'logout' });
      if (ended.length > 0) audit('auth.logout', { type: 'user', id: userId }, { sessions: ended });
      afterCommit(() => ended.forEach((id) => credentials.forgetSession(tenantId, id)));
      return reply(204);
    },

    getCurrentUser: async (ctx) => ctx.reply(200, await currentUser(ctx)),

    enrollTotp: async (ctx) => ctx.reply(200, await enrol(parts, ctx)),

    confirmTotp: async (ctx) => ctx.reply(200, await confirmEnrolled(parts, ctx)),

    disableTotp: async (ctx) => {
      await disable(parts, ctx);
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
