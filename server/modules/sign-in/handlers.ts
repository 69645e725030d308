import type { Handlers } from '../../request/handler.ts';
import type { AuthenticationDependencies } from '../login-throttle/index.ts';
import { signIn } from './sign-in.ts';

export const signInHandlers = (dependencies: AuthenticationDependencies) => ({
  login: async (ctx) => ctx.reply(200, await signIn(dependencies, ctx)),
} satisfies Pick<Handlers, 'login'>);
