/**
 * Handlers of the sign-in of programs and browsers, registered by the index of the module. A browser gets its refresh
 * token in a cookie only.
 */
import type { Handlers } from '../../request/handler.ts';
import type { AuthenticationDependencies } from '../login-throttle/index.ts';
import { keepInBrowser } from '../sessions/index.ts';
import { signIn } from './sign-in.ts';

export const signInHandlers = (dependencies: AuthenticationDependencies) =>
  ({
    login: async (ctx) => ctx.reply(200, (await signIn(dependencies, 'program', ctx.body, ctx)).pair),

    openBrowserSession: async (ctx) => {
      const { body, cookies, reply } = ctx;
      const deviceToken = body.deviceToken ?? cookies.read('__Host-device');
      const opened = await signIn(
        dependencies,
        'browser',
        { ...body, ...(deviceToken !== undefined && { deviceToken }) },
        ctx,
      );
      return reply(200, keepInBrowser(dependencies, cookies, opened));
    },
  }) satisfies Pick<Handlers, 'login' | 'openBrowserSession'>;
