import type { HandlersOf } from '../../contract/handlers.ts';
import type { Services } from '../../services.ts';
import { currentUser } from './me.ts';
import { refresh } from './refresh.ts';
import { factorKeys } from './second-factor.ts';
import { signIn } from './sign-in.ts';
import { endSessions } from './store/sessions.ts';
import { throttleOptions } from './throttle.ts';

function pending(): never {
  throw new Error('being written');
}

export const auth = (services: Services) => {
  const { secrets, credentials } = services;
  const parts = { ...services, throttle: throttleOptions(services), keys: factorKeys(secrets), successorKey: secrets.deriveKey('refresh-token-successor') };

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
    enrollTotp: pending,
    confirmTotp: pending,
    disableTotp: pending,
    requestPasswordReset: pending,
    resetPassword: pending,
    changePassword: pending,
    acceptInvitation: pending,
  } satisfies HandlersOf<'auth'>;
};
