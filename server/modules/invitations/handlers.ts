import type { Handlers } from '../../request/handler.ts';
import type { AuthenticationDependencies } from '../login-throttle/index.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { previewInvitation } from './preview-invitation.ts';

export const invitationHandlers = (dependencies: AuthenticationDependencies) => ({
  acceptInvitation: async (ctx) => ctx.reply(201, await acceptInvitation(dependencies, ctx), { Location: '/v1/auth/me' }),

  previewInvitation: async (ctx) => ctx.reply(200, await previewInvitation(dependencies, ctx)),
} satisfies Pick<Handlers, 'acceptInvitation' | 'previewInvitation'>);
