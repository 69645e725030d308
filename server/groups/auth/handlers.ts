import type { HandlersOf } from '../../contract/handlers.ts';
import type { Services } from '../../services.ts';
import { currentUser } from './me.ts';
import { refresh } from './refresh.ts';
import { signIn } from './sign-in.ts';
import { endAllSessions, endSession } from './store/sessions.ts';

/** From one address many people sign in: it may fail in 15 minutes as often as it may try in ten. */
const ADDRESS_LIMIT_MINUTES = 10;

function pending(): never {
  throw new Error('being written');
}

export const auth = ({ config, secrets, database, tokens, credentials }: Services) => {
  const throttle = {
    key: secrets.deriveKey('login-throttle'),
    addressLimit: config.rateLimits.loginsPerAddress * ADDRESS_LIMIT_MINUTES,
  };
  const successorKey = secrets.deriveKey('refresh-token-successor');

  return {
    login: async (ctx) => ctx.reply(200, await signIn({ database, tokens, throttle }, ctx)),

    refreshToken: async (ctx) => ctx.reply(200, await refresh({ database, tokens, credentials, successorKey }, ctx)),

    logout: async ({ tx, principal: { tenantId, userId, sessionId }, body, now, audit, afterCommit, reply }) => {
      const ended = body?.everywhere === true
        ? await endAllSessions(tx, tenantId, userId, now, 'logout')
        : await endSession(tx, tenantId, sessionId, now, 'logout');
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
