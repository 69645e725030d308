import type { Handlers } from '../../request/handler.ts';
import type { AuthenticationDependencies } from '../login-throttle/index.ts';
import { beginTotpEnrolment, confirmTotpEnrolment, disableSecondFactor } from './enrolment.ts';

export const secondFactorHandlers = (parts: AuthenticationDependencies) => ({
  enrollTotp: async (ctx) => ctx.reply(200, await beginTotpEnrolment(parts, ctx)),

  confirmTotp: async (ctx) => ctx.reply(200, await confirmTotpEnrolment(parts, ctx)),

  disableTotp: async (ctx) => {
    await disableSecondFactor(parts, ctx);
    return ctx.reply(204);
  },
} satisfies Pick<Handlers, 'enrollTotp' | 'confirmTotp' | 'disableTotp'>);
