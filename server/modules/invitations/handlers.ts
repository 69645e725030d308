import type { Handlers } from '../../request/handler.ts';
import type { AuthenticationDependencies } from '../login-throttle/index.ts';
import { acceptInvitation } from './accept-invitation.ts';

export const invitationHandlers = (dependencies: AuthenticationDependencies) => ({
  acceptInvitation: async (ctx) => ctx.reply(201, await acceptInvitation(dependencies, ctx), { Location: '/v1/auth/me' }),
} satisfies Pick<Handlers, 'acceptInvitation'>);
