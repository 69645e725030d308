/**
 * Handlers of the operations on a person's own second factor, registered by the index of the module. The secret and the
 * recovery codes appear in one response each and nowhere else.
 */
import type { Handlers } from '../../request/handler.ts';
import type { AuthenticationDependencies } from '../login-throttle/index.ts';
import { beginTotpEnrolment, confirmTotpEnrolment, disableSecondFactor } from './enrolment.ts';

export const secondFactorHandlers = (dependencies: AuthenticationDependencies) =>
  ({
    enrollTotp: async (ctx) => ctx.reply(200, await beginTotpEnrolment(dependencies, ctx)),

    confirmTotp: async (ctx) => ctx.reply(200, await confirmTotpEnrolment(dependencies, ctx)),

    disableTotp: async (ctx) => {
      await disableSecondFactor(dependencies, ctx);
      return ctx.reply(204);
    },
  }) satisfies Pick<Handlers, 'enrollTotp' | 'confirmTotp' | 'disableTotp'>;
