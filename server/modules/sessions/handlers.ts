/**
 * Handlers of the operations on sessions, registered by the index of the module. Ended sessions are forgotten by the
 * credential cache after the commit; otherwise their access tokens would work until the entry expires.
 */
import type { Handlers } from '../../request/handler.ts';
import type { AuthenticationDependencies } from '../login-throttle/index.ts';
import { closeBrowserSession, renewBrowserSession } from './browser-session.ts';
import { changeAbsence, readCurrentUser } from './current-user.ts';
import { endSessionsOf, listSessions } from './member-sessions.ts';
import { refreshSession } from './refresh-session.ts';
import { endSessions } from './store.ts';

interface Dependencies {
  readonly authentication: AuthenticationDependencies;
}

export const sessionHandlers = ({ authentication }: Dependencies) =>
  ({
    refresh: async (ctx) =>
      ctx.reply(
        200,
        (await refreshSession(authentication, { clientKind: 'program', token: ctx.body.refreshToken }, ctx)).pair,
      ),

    renewBrowserSession: async (ctx) => ctx.reply(200, await renewBrowserSession(authentication, ctx)),

    closeBrowserSession: async (ctx) => {
      await closeBrowserSession(authentication, ctx);
      return ctx.reply(204);
    },

    logout: async ({ tx, principal: { tenantId, userId, sessionId }, body, now, audit, afterCommit, reply }) => {
      const everywhere = body?.everywhere === true;
      const ended = await endSessions(tx, {
        tenantId,
        userId,
        ...(!everywhere && { sessionId }),
        now,
        reason: 'logout',
      });
      if (ended.length > 0) audit('auth.logout', { type: 'user', id: userId }, { sessions: ended });
      afterCommit(() => ended.forEach((id) => authentication.credentials.forgetSession(tenantId, id)));
      return reply(204);
    },

    getCurrentUser: async (ctx) => ctx.reply(200, await readCurrentUser(ctx)),

    updateCurrentUser: async (ctx) => {
      await changeAbsence(ctx);
      const shown = await readCurrentUser(ctx);
      ctx.audit('user.absence_changed', { type: 'user', id: ctx.principal.userId }, { absentUntil: shown.absentUntil });
      return ctx.reply(200, shown);
    },

    listUserSessions: async (ctx) => ctx.reply(200, await listSessions(ctx)),

    revokeUserSessions: async (ctx) => {
      const {
        principal: { tenantId },
        params: { userId },
        audit,
        afterCommit,
        reply,
      } = ctx;
      const ended = await endSessionsOf(ctx);
      if (ended.length > 0) audit('user.sessions_ended', { type: 'user', id: userId }, { sessions: ended });
      afterCommit(() => ended.forEach((id) => authentication.credentials.forgetSession(tenantId, id)));
      return reply(204);
    },
  }) satisfies Pick<
    Handlers,
    | 'refresh'
    | 'renewBrowserSession'
    | 'closeBrowserSession'
    | 'logout'
    | 'getCurrentUser'
    | 'updateCurrentUser'
    | 'listUserSessions'
    | 'revokeUserSessions'
  >;
