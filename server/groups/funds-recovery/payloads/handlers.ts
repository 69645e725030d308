import type { HandlersOf } from '../../../contract/handlers.ts';
import { erasePayloads } from './erase.ts';

export const payloads = {
  eraseFundsRecoveryPayloads: async (ctx) => {
    const { events, pages, isNew } = await erasePayloads(ctx);
    if (isNew) ctx.audit('funds_recovery.payloads_erased', { type: 'funds_recovery', id: ctx.params.fundsRecoveryId }, { events, pages });
    return ctx.reply(204);
  },
} satisfies Pick<HandlersOf<'funds-recovery'>, 'eraseFundsRecoveryPayloads'>;
