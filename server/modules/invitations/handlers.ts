/**
 * Handlers of the public operations on invitations, registered by the index of the module. Programs get tokens in the
 * response; browsers get a cookie that scripts cannot read, so the two must not be mixed up.
 */
import type { Handlers } from '../../request/handler.ts';
import type { AuthenticationDependencies } from '../login-throttle/index.ts';
import { keepInBrowser } from '../sessions/index.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { previewInvitation } from './preview-invitation.ts';

export const invitationHandlers = (dependencies: AuthenticationDependencies) =>
  ({
    acceptInvitation: async (ctx) =>
      ctx.reply(201, (await acceptInvitation(dependencies, 'program', ctx.body, ctx)).pair, {
        Location: '/v1/auth/me',
      }),

    openBrowserSessionByInvitation: async (ctx) =>
      ctx.reply(
        200,
        keepInBrowser(dependencies, ctx.cookies, await acceptInvitation(dependencies, 'browser', ctx.body, ctx)),
      ),

    previewInvitation: async (ctx) => ctx.reply(200, await previewInvitation(dependencies, ctx)),
  }) satisfies Pick<Handlers, 'acceptInvitation' | 'openBrowserSessionByInvitation' | 'previewInvitation'>;
