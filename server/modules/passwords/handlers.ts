/**
 * Handlers of the operations on passwords, registered by the index of the module. They only pass the request on; the
 * answers are the same whether an account exists or not.
 */
import type { Handlers } from '../../request/handler.ts';
import type { AuthenticationDependencies } from '../login-throttle/index.ts';
import { changePassword, LINK_VALID_MINUTES, requestReset, resetPassword } from './change-password.ts';

export const passwordHandlers = (dependencies: AuthenticationDependencies) =>
  ({
    requestPasswordReset: async (ctx) => {
      await requestReset(dependencies, ctx);
      return ctx.reply(202, { linkValidMinutes: LINK_VALID_MINUTES });
    },

    resetPassword: async (ctx) => {
      await resetPassword(dependencies, ctx);
      return ctx.reply(204);
    },

    changePassword: async (ctx) => {
      await changePassword(dependencies, ctx);
      return ctx.reply(204);
    },
  }) satisfies Pick<Handlers, 'requestPasswordReset' | 'resetPassword' | 'changePassword'>;
